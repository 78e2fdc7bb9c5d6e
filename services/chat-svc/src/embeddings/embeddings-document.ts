import type { ServedEmbeddings } from '@tallyport/dispatch';
import { metadataOf, servedModel, type ServedRequest } from '@tallyport/serving';
import type { AnswerDocument } from '@tallyport/wire';
import { promptUsageOf } from '../calls/prompt-usage.ts';
import { writtenVectors } from './written-vectors.ts';

/** Before the vectors, and in no string. */
export const dataStart = ',"data":[';

/** In OpenAI's form. */
export function embeddingsDocument(
  served: ServedRequest,
  { answer, usage, routing }: ServedEmbeddings,
): Promise<AnswerDocument> {
  const head = {
    object: 'list',
    model: servedModel(served),
    usage: promptUsageOf(usage),
    metadata: metadataOf(served, routing),
  };
  return writtenVectors(head, answer.vectors, {
    start: dataStart,
    entry: (vector, at) => [Buffer.from(`{"object":"embedding","index":${at},"embedding":`), ...vector, entryEnd],
    end: ']}',
  });
}

const entryEnd = Buffer.from('}');
