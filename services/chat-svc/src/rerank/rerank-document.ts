import type { ServedRanking } from '@tallyport/dispatch';
import type { RerankCall } from '@tallyport/providers';
import { metadataOf, servedModel, type ServedRequest } from '@tallyport/serving';
import { type AnswerDocument, documentOf } from '@tallyport/wire';

/** The answer in the forms of Cohere and Jina (`results`) and of Voyage (`data`). */
export function rerankDocument(
  served: ServedRequest,
  { answer, usage, routing }: ServedRanking,
  { returnDocuments, documents }: RerankCall,
): AnswerDocument {
  const { results, id = `rerank-${served.head.requestId}` } = answer;
  const { total_tokens, search_units, cost } = usage;
  const scored = results.map(({ index, score }) => ({ index, relevance_score: score }));
  const textOf = (index: number): string => documents[index] ?? '';
  return documentOf({
    id,
    object: 'list',
    model: servedModel(served),
    results: returnDocuments ? scored.map((each) => ({ ...each, document: { text: textOf(each.index) } })) : scored,
    data: returnDocuments ? scored.map((each) => ({ ...each, document: textOf(each.index) })) : scored,
    usage: { total_tokens, ...(search_units !== undefined && { search_units }), ...(cost !== undefined && { cost }) },
    ...(search_units !== undefined && { meta: { billed_units: { search_units } } }),
    metadata: metadataOf(served, routing),
  });
}
