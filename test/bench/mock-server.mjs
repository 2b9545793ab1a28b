// A chat-completions server without a model, as a process of its own. The model's name says what it answers:
//   tools-T-W         T turns of W tool calls each, then the final text
//   tokens-N          N tokens of text; streamed in one socket write
//   tokens-N-trickle  the same, with a socket write for each token
// The turn is read off the request: the tool messages behind the last user message. Each answer is made once.
import http from 'node:http';
import { pathToFileURL } from 'node:url';
import { FINAL_TEXT, TOOL_ARGUMENTS } from './scenario.mjs';

const ANSWERED = Buffer.from('"role":"tool"');
const ASKED = Buffer.from('"role":"user"');
const MODEL = Buffer.from('"model":"');
const STREAMED = Buffer.from('"stream":true');
const QUOTE = 34;
const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function readScript(model) {
  const [kind, first, second] = model.split('-');
  if (kind === 'tools') return { turns: Number(first), width: Number(second), tokens: 0, trickle: false };
  if (kind === 'tokens') return { turns: 0, width: 1, tokens: Number(first), trickle: second === 'trickle' };
  throw new Error(`Unknown model "${model}". Known: tools-T-W, tokens-N, tokens-N-trickle.`);
}

function toolCalls(turn, width) {
  return Array.from({ length: width }, (_, index) => ({
    id: `call_${turn}_${index}`,
    type: 'function',
    function: { name: `tool_${index % 4}`, arguments: TOOL_ARGUMENTS },
  }));
}

function wholeAnswer(model, script, turn) {
  const calls = turn < script.turns;
  const message = calls
    ? { role: 'assistant', content: null, refusal: null, tool_calls: toolCalls(turn, script.width) }
    : { role: 'assistant', content: FINAL_TEXT, refusal: null };
  const choice = { index: 0, message, logprobs: null, finish_reason: calls ? 'tool_calls' : 'stop' };
  const head = { id: `chatcmpl-${turn}`, object: 'chat.completion', created: 1700000000, model };
  return [Buffer.from(JSON.stringify({ ...head, choices: [choice], usage: USAGE }))];
}

function streamedAnswer(model, script) {
  if (script.turns > 0) throw new Error(`"${model}" is not streamed here: only tokens-N is.`);
  const head = { id: 'chatcmpl-0', object: 'chat.completion.chunk', created: 1700000000, model };
  const line = (data) => `data: ${JSON.stringify(data)}\n\n`;
  const event = (delta, finish_reason = null) =>
    line({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
  const events = [event({ role: 'assistant', content: '' })];
  for (let i = 0; i < script.tokens; i++) events.push(event({ content: ` tok${i % 1000}` }));
  events.push(event({}, 'stop') + line({ ...head, choices: [], usage: USAGE }) + 'data: [DONE]\n\n');
  return (script.trickle ? events : [events.join('')]).map((text) => Buffer.from(text));
}

/** Every tool call of the conversation must have its one result. Only done the first time a step is seen. */
function checkConversation(body) {
  const { messages } = JSON.parse(body);
  const calls = messages.flatMap((message) => message.tool_calls ?? []).map(({ id }) => id);
  const results = messages.filter(({ role }) => role === 'tool').map((message) => message.tool_call_id);
  if (calls.join() !== results.join()) throw new Error(`Calls ${calls} do not match results ${results}.`);
}

const scripts = new Map();
const answers = new Map();

function answerTo(body) {
  const from = body.indexOf(MODEL) + MODEL.length;
  const model = body.latin1Slice(from, body.indexOf(QUOTE, from));
  const script = scripts.get(model) ?? readScript(model);
  scripts.set(model, script);
  let results = 0;
  for (let at = body.lastIndexOf(ASKED); (at = body.indexOf(ANSWERED, at + 1)) !== -1;) results++;
  const turn = results / script.width;
  const streamed = body.includes(STREAMED);
  const key = `${model} ${turn} ${streamed}`;
  let answer = answers.get(key);
  if (!answer) {
    checkConversation(body);
    answer = {
      streamed,
      parts: streamed ? streamedAnswer(model, script) : wholeAnswer(model, script, turn),
    };
    answers.set(key, answer);
  }
  return answer;
}

function send(response, { streamed, parts }) {
  const [whole] = parts;
  if (!streamed) {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
      .end(whole);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  let sent = 0;
  const next = () => {
    if (response.destroyed) return;
    const room = response.write(parts[sent++]);
    if (sent === parts.length) response.end();
    else if (room) setImmediate(next);
    else response.once('drain', next);
  };
  next();
}

const NOTHING_YET = { requests: 0, bytes: 0, error: null };
let seen = { ...NOTHING_YET };

function onRequest(request, response) {
  if (request.url === '/seen') {
    response.end(JSON.stringify(seen));
    seen = { ...NOTHING_YET };
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    seen.requests += 1;
    seen.bytes += body.length;
    try {
      send(response, answerTo(body));
    } catch (error) {
      seen.error ??= error.message;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: error.message } }));
    }
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  // Never outlives the process that started it.
  process.once('disconnect', () => process.exit(0));
  const server = http.createServer({ keepAliveTimeout: 60_000 }, onRequest);
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
    const { port } = server.address();
    if (process.send) process.send({ port });
    else console.log(`http://127.0.0.1:${port}/v1`);
  });
}
