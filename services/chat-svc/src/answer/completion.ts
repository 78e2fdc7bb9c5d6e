import type { ServedCompletion } from '@switchyard/dispatch';
import { type Served, answerId, metadataOf, servedModel } from './served.ts';

/** A whole answer as the client reads it. */
export function completionBody(served: Served, { completion, routing }: ServedCompletion): Buffer {
  const answer = {
    ...completion,
    id: answerId(completion.id, served.completionId),
    model: servedModel(served),
    metadata: metadataOf(served, routing),
  };
  return Buffer.from(JSON.stringify(answer));
}
