import type { ServedModerations } from '@tallyport/dispatch';
import { metadataOf, servedModel, type ServedRequest } from '@tallyport/serving';
import { type AnswerDocument, documentOf } from '@tallyport/wire';
import { promptUsageOf } from '../calls/prompt-usage.ts';

/** The answer in OpenAI's form. */
export const moderationsDocument = (
  served: ServedRequest,
  { answer, usage, routing }: ServedModerations,
): AnswerDocument =>
  documentOf({
    id: answer.id ?? `modr-${served.head.requestId}`,
    model: servedModel(served),
    results: answer.results,
    usage: promptUsageOf(usage),
    metadata: metadataOf(served, routing),
  });
