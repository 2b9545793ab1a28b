// The floor: a loop written by hand on the global fetch. It checks nothing, retries nothing and tells nobody.

export async function create({ baseURL, tools }) {
  const execute = new Map(tools.map((tool) => [tool.name, tool.execute]));
  const definitions = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));

  async function post(body) {
    const response = await fetch(`${baseURL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response;
  }

  async function callTool({ id, function: called }) {
    const result = await execute.get(called.name)(JSON.parse(called.arguments));
    return { role: 'tool', tool_call_id: id, content: JSON.stringify(result) };
  }

  return {
    async run(input, { model, maxTurns }) {
      const messages = [...input];
      for (let turn = 0; turn < maxTurns; turn++) {
        const response = await post({ model, messages, tools: definitions });
        const { message } = (await response.json()).choices[0];
        messages.push(message);
        if (!message.tool_calls) return message.content;
        messages.push(...(await Promise.all(message.tool_calls.map(callTool))));
      }
      throw new Error(`No answer in ${maxTurns} turns.`);
    },

    async stream(input, { model, onText }) {
      const response = await post({ model, messages: input, tools: definitions, stream: true });
      const decoder = new TextDecoder();
      let rest = '';
      for await (const bytes of response.body) {
        rest += decoder.decode(bytes, { stream: true });
        let from = 0;
        for (let end; (end = rest.indexOf('\n\n', from)) !== -1; from = end + 2) {
          const data = rest.slice(from + 'data: '.length, end);
          if (data === '[DONE]') continue;
          const text = JSON.parse(data).choices[0]?.delta.content;
          if (text) onText(text);
        }
        rest = rest.slice(from);
      }
    },
  };
}
