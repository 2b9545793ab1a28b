// What every runner is given, and what the mock server answers with.
export const TOOL_ARGUMENTS = '{"city":"Paris","unit":"c","days":3}';
export const FINAL_TEXT = 'The weather is fine in all the cities that you asked about.';
export const QUESTION = { role: 'user', content: 'How is the weather in Paris?' };

/** Called whenever a tool runs; `growth` takes its marks from it. */
export const toolCalls = { count: 0, onCall: undefined };

/** Four tools that do nothing: what is measured is how they are reached. */
export const tools = Array.from({ length: 4 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Look up the weather forecast of a city (source ${index})`,
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Name of the city' },
      unit: { type: 'string', enum: ['c', 'f'], description: 'Unit of the temperature' },
      days: { type: 'integer', description: 'Days ahead' },
    },
    required: ['city', 'unit', 'days'],
    additionalProperties: false,
  },
  execute: async ({ city, days }) => {
    if (city !== 'Paris' || days !== 3) throw new Error(`Bad arguments: ${city}, ${days}.`);
    toolCalls.count += 1;
    toolCalls.onCall?.();
    return { temperature: 21, sky: 'clear', wind: 'light' };
  },
}));

/** The text of `tokens-N`, in characters. */
export function charactersOf(tokens) {
  let characters = 0;
  for (let i = 0; i < tokens; i++) characters += ` tok${i % 1000}`.length;
  return characters;
}

/** A conversation of `length` messages, the last one a question. */
export function conversation(length) {
  const earlier = Array.from({ length }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `${index} ${'lorem ipsum dolor sit amet '.repeat(8)}`,
  }));
  return [...earlier, QUESTION];
}
