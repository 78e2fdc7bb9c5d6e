import type { ServedCompletion } from '@switchyard/dispatch';
import { metadataOf, servedModel } from '@switchyard/serving';
import { stringifyWithLongStrings } from '@switchyard/wire';
import { withFittingLabels } from '../images/fitting-labels.ts';
import { type ServedChat, answerId } from './served-chat.ts';

/** A whole answer as the client reads it, in slices: a long string is the provider's bytes, not a copy. */
export function completionSlices(served: ServedChat, { completion, longStrings, routing }: ServedCompletion): Buffer[] {
  const choices = completion.choices.map((choice) => {
    const { images } = choice.message;
    if (images === undefined) return choice;
    return { ...choice, message: { ...choice.message, images: withFittingLabels(images, longStrings) } };
  });
  const answer = {
    ...completion,
    choices,
    id: answerId(completion.id, served.completionId),
    model: servedModel(served),
    metadata: metadataOf(served, routing),
  };
  return stringifyWithLongStrings(answer, longStrings);
}
