import type { ChatChunk, ChatCompletion, ChatRequest } from '@tallyport/wire';

/** Whether the model may reason but must not show it: `reasoning.exclude`. */
export const hidesReasoning = ({ reasoning }: ChatRequest): boolean => reasoning?.exclude === true;

export function withoutReasoning(completion: ChatCompletion): ChatCompletion {
  const choices = completion.choices.map((choice) => {
    const { reasoning_content: _text, reasoning_details: _details, ...message } = choice.message;
    return { ...choice, message };
  });
  return { ...completion, choices };
}

/** `undefined` for a chunk with nothing but reasoning. */
export function chunkWithoutReasoning(chunk: ChatChunk): ChatChunk | undefined {
  if (!chunk.choices.some(({ delta }) => 'reasoning_content' in delta || 'reasoning_details' in delta)) return chunk;
  const choices = chunk.choices.map((choice) => {
    const { reasoning_content: _text, reasoning_details: _details, ...delta } = choice.delta;
    return { ...choice, delta };
  });
  const says = choices.some(({ delta, finish_reason: reason }) => Object.keys(delta).length > 0 || reason !== null);
  return says ? { ...chunk, choices } : undefined;
}
