import { type ChatCompletion, type ChunkDelta, type CompletionMessage, deltasInOrder } from '@tallyport/wire';
import { createResponseWriter, type ResponsesContext } from './writer.ts';

/**
 * The response to a request that was not streamed: what the events of a stream amount to. Which way the request went is not
 * in it: `metadata` belongs to the client here.
 */
export function toResponse(completion: ChatCompletion, context: ResponsesContext) {
  const writer = createResponseWriter(context, completion.model, () => {});
  writer.note(completion);
  const [choice] = completion.choices;
  if (choice !== undefined) {
    const { message, logprobs, finish_reason: finish } = choice;
    const deltas = deltasOf(message);
    const text = deltas.find(({ content }) => content);
    for (const delta of deltas)
      writer.add({ delta, logprobs: delta === text ? (logprobs?.content ?? []) : [], finish });
    // A message without content has an end as well.
    if (deltas.length === 0) writer.add({ delta: {}, logprobs: [], finish });
  }
  return writer.end();
}

/** Sound and calls of the old form are absent: no request of this API asks for them. */
function deltasOf(message: CompletionMessage): ChunkDelta[] {
  const { refusal, images } = message;
  return deltasInOrder(message, [...(refusal ? [{ refusal }] : []), ...(images ? [{ images }] : [])]);
}
