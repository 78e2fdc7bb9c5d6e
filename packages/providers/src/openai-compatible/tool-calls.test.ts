import { describe, expect, test } from 'vitest';
import { fold } from '../fold/fold.ts';
import { chatProviders } from '../chat-providers.ts';
import { plainAnswer } from '../testing/answer.ts';
import { openaiFormat } from '../testing/openai-format.ts';
import { callOf, contextOf, translate } from '../testing/translate.ts';

const speakers = chatProviders.filter(({ dialect }) => dialect === 'openai');

/** Only the client can decide what incomplete arguments are worth, so they are neither repaired nor dropped. */
describe.each(speakers)('incomplete arguments of $id', (provider) => {
  test.each([
    ['at the token limit', 'length', ['{"city":"Os', 'lo", "da']],
    ['without a matching finish reason', 'tool_calls', ['{"city":"Oslo"']],
    ['inside an escape', 'length', ['{"city":"\\u00']],
  ] as const)('cut %s are passed on unchanged, with the reason', (_name, finish, input) => {
    const calls = [{ id: 'call_abc1', name: 'weather', input: [...input] }];
    const answer = { ...plainAnswer, text: [], calls, finish };
    const whole = provider.response(openaiFormat.json(answer), contextOf(provider, callOf({}, false)));
    expect(whole.choices).toEqual([
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          refusal: null,
          tool_calls: [{ id: 'call_abc1', type: 'function', function: { name: 'weather', arguments: input.join('') } }],
        },
        logprobs: null,
        finish_reason: finish,
      },
    ]);
    expect(fold(translate(provider, openaiFormat.stream(answer)))).toEqual(whole);
  });
});
