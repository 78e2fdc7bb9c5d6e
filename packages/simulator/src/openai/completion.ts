import type { Choice, ToolCall } from './choice.ts';
import type { usageOf } from './usage.ts';

/** A whole answer, ready to be written as one JSON document or as a stream. */
export interface Script {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly Choice[];
  readonly usage: ReturnType<typeof usageOf>;
}

export const serviceTier = 'default';
export const systemFingerprint = 'fp_simulated';

export function completionOf({ id, created, model, choices, usage }: Script) {
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: choices.map((choice, index) => ({
      index,
      message: messageOf(choice),
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    usage,
    service_tier: serviceTier,
    system_fingerprint: systemFingerprint,
  };
}

function messageOf({ reasoning, content, toolCalls }: Choice) {
  return {
    role: 'assistant',
    content,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    refusal: null,
    annotations: [],
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(callOf) }),
  };
}

const callOf = ({ id, name, arguments: text }: ToolCall) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});
