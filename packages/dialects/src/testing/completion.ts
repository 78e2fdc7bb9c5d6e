import type { ChatCompletion, CompletionMessage, FinishReason, Usage } from '@tallyport/wire';

/** Builds completions of one choice that have this usage. */
export const completionsWith =
  (usage: Usage) =>
  (message: Partial<CompletionMessage>, finish_reason: FinishReason = 'stop'): ChatCompletion => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'provider/model',
    choices: [
      {
        index: 0,
        logprobs: null,
        finish_reason,
        message: { role: 'assistant', content: null, refusal: null, ...message },
      },
    ],
    usage,
  });

export const functionCall = (id: string, input: string) => ({
  id,
  type: 'function' as const,
  function: { name: `tool_${id}`, arguments: input },
});

/** Texts and calls in an order that only some APIs have: a call between two texts. */
export const interleaved = {
  content: 'First this. Then that.',
  tool_calls: [functionCall('a', '{"q":1}'), functionCall('b', '{"q":2}')],
  content_order: [
    { type: 'text' as const, length: 'First this.'.length, annotations: 0 },
    { type: 'tool_call' as const, index: 0 },
    { type: 'text' as const, length: ' Then that.'.length, annotations: 0 },
    { type: 'tool_call' as const, index: 1 },
  ],
};
