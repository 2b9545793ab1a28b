// The `openai` package with its own loop, `runTools`, and zod for the tools.
import OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { forecastInput } from './forecast-input.mjs';

export async function create({ baseURL, tools }) {
  const { completions } = new OpenAI({ baseURL, apiKey: 'none' }).chat;
  const functions = tools.map(({ name, description, execute }) =>
    zodFunction({ name, description, parameters: forecastInput, function: execute }),
  );

  return {
    run(messages, { model, maxTurns }) {
      const limits = { maxChatCompletions: maxTurns };
      return completions
        .runTools({ model, messages: [...messages], tools: functions }, limits)
        .finalContent();
    },

    async stream(messages, { model, maxTurns, onText }) {
      const request = { model, messages: [...messages], tools: functions, stream: true };
      const runner = completions.runTools(request, { maxChatCompletions: maxTurns });
      runner.on('content', onText);
      await runner.finalContent();
    },
  };
}
