import type { ServerResponse } from 'node:http';
import { array, constantFrom, oneof, record, string, type Arbitrary } from 'fast-check';
import { openEventStream, sendJson } from './loopback-server.js';
import { answerEvents, answerJson, sendAnswer, type ChatBody } from './served-agent.js';
import { sseEvent, textEvent, toolEvent } from './sse-stream.js';

/** Answers one request, or does not. */
export type Reply = (response: ServerResponse, body: ChatBody) => void;

const call = record({
  id: constantFrom('a', 'b', ''),
  name: constantFrom('ok', 'fails', 'late', 'stops', 'nope', '$ BAD', ''),
  arguments: constantFrom('', '{}', '{"n":1}', '{bad', 'null', '[1]', '{"n":9007199254740993}'),
});
const answer = record(
  {
    text: string({ maxLength: 20, unit: 'binary' }),
    calls: array(call, { maxLength: 3 }),
    reason: constantFrom('stop', 'tool_calls', 'length', 'content_filter', 'whatever'),
  },
  { requiredKeys: [] },
);

const ordinary = answer.map(
  (said): Reply =>
    (response, body) =>
      sendAnswer(response, body, said),
);
const refusal = constantFrom(400, 401, 404, 429, 500, 503, 302).map(
  (status): Reply =>
    (response) =>
      sendJson(response, { error: { message: 'no', type: 'some_error' } }, status),
);
const strange = constantFrom<Reply[]>(
  (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'),
  (response) => sendJson(response, { hello: 'world' }),
  (response) => sendJson(response, { choices: [] }),
  (response) => response.writeHead(204).end(),
  (response) => response.end('plain text'),
  (response) => openEventStream(response).end(),
  (response) => openEventStream(response).end('data: [DONE]\n\n'),
  (response) => openEventStream(response).end('data: {"choices":null}\n\ndata: {oops\n\n'),
);
/** The form that was not asked for. */
const wrongForm = answer.map((said): Reply => (response, { stream }) => {
  if (stream) sendJson(response, answerJson(said));
  else openEventStream(response).end(answerEvents(said));
});
/** What a stream begins with before something goes wrong. */
const opening = array(
  oneof(
    string({ maxLength: 10 }).map(textEvent),
    call.map(({ id, name, arguments: args }) => toolEvent(0, id, name, args)),
    constantFrom(': alive\n\n', 'event: ping\ndata: {}\n\n'),
  ),
  { maxLength: 3 },
).map((events) => events.join(''));
const broken = record({ events: opening, end: constantFrom('cut', 'silence', 'short', 'error') }).map(
  ({ events, end }): Reply =>
    (response) => {
      openEventStream(response).write(`${events}: \n`);
      if (end === 'cut') setImmediate(() => response.destroy());
      if (end === 'short') response.end();
      if (end === 'error') response.end(sseEvent({ error: { message: 'no', code: 'server_error' } }));
    },
);
const cutBefore = constantFrom<Reply[]>((response) => response.destroy());
/** Answers nothing at all. */
const mute = constantFrom<Reply[]>(() => {});
/** A whole answer, and then an open connection. */
const held = answer.map((said): Reply => (response, { stream }) => {
  if (stream) openEventStream(response).write(answerEvents(said));
  else sendJson(response, answerJson(said));
});

/** What model servers, and what stands in their place, have been seen to do. */
export const randomReply: Arbitrary<Reply> = oneof(
  { weight: 8, arbitrary: ordinary },
  { weight: 2, arbitrary: refusal },
  { weight: 2, arbitrary: strange },
  { weight: 1, arbitrary: wrongForm },
  { weight: 3, arbitrary: broken },
  { weight: 1, arbitrary: cutBefore },
  { weight: 1, arbitrary: mute },
  { weight: 1, arbitrary: held },
);
