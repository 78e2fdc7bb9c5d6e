import { type ChatCompletion, type ChunkDelta, type CompletionMessage, deltasInOrder } from '@tallyport/wire';
import { createInteractionWriter, type Interaction, type InteractionTerms } from './writer.ts';

/** The answer to a request that was not streamed: what the events of a stream amount to. */
export function toInteraction(completion: ChatCompletion, terms: InteractionTerms): Interaction {
  const writer = createInteractionWriter(terms, completion.model, () => {});
  writer.note(completion);
  const [choice] = completion.choices;
  if (choice !== undefined) {
    for (const delta of deltasOf(choice.message)) writer.add(delta, null);
    writer.add({}, choice.finish_reason);
  }
  return writer.end();
}

function deltasOf(message: CompletionMessage): ChunkDelta[] {
  const { refusal, images } = message;
  return deltasInOrder(message, [...(refusal ? [{ refusal }] : []), ...(images ? [{ images }] : [])]);
}
