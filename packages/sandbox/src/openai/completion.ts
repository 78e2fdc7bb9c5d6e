import type { Choice, ChoiceToolCall } from '../model/choice.ts';

/** A complete answer, before it is written as JSON or as a stream. */
export interface OpenAiAnswer {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly Choice[];
  readonly usage: object;
  readonly tier: string;
}

export const systemFingerprint = 'fp_simulated';

export function simulatedOpenAiCompletion({ id, created, model, choices, usage, tier }: OpenAiAnswer) {
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: choices.map((choice, index) => ({
      index,
      message: messageOf(choice),
      logprobs: null,
      finish_reason: simulatedOpenAiFinishReason(choice),
    })),
    usage,
    service_tier: tier,
    system_fingerprint: systemFingerprint,
  };
}

/** A refusal is a member of the message and not a finish reason. */
export const simulatedOpenAiFinishReason = ({ finishReason }: Choice): string =>
  finishReason === 'refusal' ? 'stop' : finishReason;

export const annotationsOf = ({ content, citations }: Choice) =>
  citations.map(({ url, title }) => ({
    type: 'url_citation',
    url_citation: { start_index: 0, end_index: content?.length ?? 0, url, title },
  }));

function messageOf(choice: Choice) {
  const { reasoning, content, refusal, toolCalls } = choice;
  return {
    role: 'assistant',
    content,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    refusal,
    annotations: annotationsOf(choice),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(callOf) }),
  };
}

const callOf = ({ id, name, arguments: text }: ChoiceToolCall) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});
