import type { ServedCompletion } from '@tallyport/dispatch';
import { metadataOf, servedModel } from '@tallyport/serving';
import { type AnswerDocument, documentOf } from '@tallyport/wire';
import { withCorrectLabels } from './correct-labels.ts';
import { type ServedChat, answerId } from './served-chat.ts';

/** A whole answer; long strings remain the provider's bytes, uncopied. */
export function completionDocument(
  served: ServedChat,
  { completion, longStrings, routing }: ServedCompletion,
): AnswerDocument {
  const choices = completion.choices.map((choice) => {
    const { images } = choice.message;
    if (images === undefined) return choice;
    return { ...choice, message: { ...choice.message, images: withCorrectLabels(images, longStrings) } };
  });
  const answer = {
    ...completion,
    choices,
    id: answerId(completion.id, served.completionId),
    model: servedModel(served),
    metadata: metadataOf(served, routing),
  };
  return documentOf(answer, longStrings);
}
