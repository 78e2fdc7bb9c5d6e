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
