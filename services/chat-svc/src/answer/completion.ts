import type { ServedCompletion } from '@switchyard/dispatch';
import { metadataOf, servedModel } from '@switchyard/dispatch-kit';
import { stringifyWithLongStrings } from '@switchyard/wire';
import { type ServedChat, answerId } from './served.ts';

/** A whole answer as the client reads it, in slices: a long string is the provider's bytes, not a copy. */
export function completionSlices(served: ServedChat, { completion, longStrings, routing }: ServedCompletion): Buffer[] {
  const answer = {
    ...completion,
    id: answerId(completion.id, served.completionId),
    model: servedModel(served),
    metadata: metadataOf(served, routing),
  };
  return stringifyWithLongStrings(answer, longStrings);
}
