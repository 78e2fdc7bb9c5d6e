import type { ChatCompletion, ChunkDelta, CompletionMessage } from '@tallyport/wire';
import { createResponseWriter, type ResponsesContext } from './writer.ts';

/**
 * The response to a request that was not streamed: what the events of a stream amount to. Which way the request went is not
 * in it: `metadata` belongs to the client here.
 */
export function toResponse(completion: ChatCompletion, context: ResponsesContext) {
  const writer = createResponseWriter(context, () => {});
  writer.note(completion);
  const [choice] = completion.choices;
  if (choice !== undefined) {
    const { message, logprobs, finish_reason: finish } = choice;
    writer.add({ delta: deltaOf(message), logprobs: logprobs?.content ?? [], finish });
  }
  return writer.end();
}

/** Sound and calls of the old form are absent: no request of this API asks for them. */
function deltaOf({
  audio: _audio,
  function_call: _call,
  tool_calls: calls,
  ...message
}: CompletionMessage): ChunkDelta {
  return { ...message, tool_calls: (calls ?? []).map((call, index) => ({ ...call, index })) };
}
