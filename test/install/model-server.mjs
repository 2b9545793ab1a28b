// A chat completions server on loopback: it looks an order up with the tool it is offered, then says what it read.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** Gives the base URL, the requests that came, and `close`. */
export async function startModelServer() {
  const requests = [];
  const server = createServer((request, response) => {
    answer(request, response, requests).catch((error) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(request, response, requests) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.url !== '/v1/chat/completions') return response.writeHead(404).end(request.url);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  requests.push(body);
  const message = messageFor(body);
  const finish_reason = message.tool_calls ? 'tool_calls' : 'stop';
  const head = { id: 'chat-1', model: body.model, created: 1 };
  if (!body.stream) {
    const choices = [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
  }
  response.setHeader('content-type', 'text/event-stream');
  const send = (choice) => {
    const chunk = { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const tool_calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
  send({ delta: { ...message, ...(tool_calls && { tool_calls }) }, finish_reason: null });
  send({ delta: {}, finish_reason });
  return response.end('data: [DONE]\n\n');
}

function messageFor({ messages, tools = [] }) {
  const last = messages.at(-1);
  if (last.role === 'tool') return { content: `It is ${JSON.parse(last.content).status}.` };
  const [tool] = tools;
  const orderId = /[A-Z]-\d+/.exec(last.content)?.[0];
  if (!tool || !orderId) return { content: 'Which order?' };
  const call = { name: tool.function.name, arguments: JSON.stringify({ orderId }) };
  return { tool_calls: [{ id: 'call-1', type: 'function', function: call }] };
}
