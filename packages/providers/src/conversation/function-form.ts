import type { ChatCompletion, ChatRequest, ChunkDelta, CompletionMessage, FinishReason } from '@tallyport/wire';

/** Whether the client uses the old form: it sends `functions` and reads `function_call` in the answer. */
export const usesFunctions = ({ functions, tools }: ChatRequest): boolean =>
  (functions?.length ?? 0) > 0 && (tools?.length ?? 0) === 0;

/** Moves the call to `function_call` for clients of the old form. That form has one call, so only the first is kept. */
export function withFunctionCall(completion: ChatCompletion, request: ChatRequest): ChatCompletion {
  if (!usesFunctions(request)) return completion;
  const choices = completion.choices.map((choice) => ({
    ...choice,
    message: functionMessage(choice.message),
    finish_reason: functionReason(choice.finish_reason),
  }));
  return { ...completion, choices };
}

function functionMessage({ tool_calls: calls, ...message }: CompletionMessage): CompletionMessage {
  const [first] = calls ?? [];
  return first?.type === 'function' ? { ...message, function_call: first.function } : message;
}

/** The same for a delta; `undefined` if nothing is left of it. */
export function functionDelta({ tool_calls: calls, ...delta }: ChunkDelta): ChunkDelta | undefined {
  const first = calls?.find(({ index }) => index === 0)?.function;
  if (first !== undefined) return { ...delta, function_call: first };
  return Object.keys(delta).length === 0 ? undefined : delta;
}

export const functionReason = <Reason extends FinishReason | null>(reason: Reason): Reason | 'function_call' =>
  reason === 'tool_calls' ? 'function_call' : reason;
