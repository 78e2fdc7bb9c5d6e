import { jsonReply } from '../answer.ts';
import { isObject, type JsonObject, jsonOf } from '../json.ts';
import { meteredInput } from '../model/metered.ts';
import type { ArrivedRequest, RouteAnswer } from '../route.ts';
import { type ApiError, invalidRequest, openAiErrorReply } from './errors.ts';
import type { OpenAiProvider } from './provider.ts';

/** Ranks documents in the format that servers of open models share. */
export const createRerank =
  ({ refuseRerank }: Pick<OpenAiProvider, 'refuseRerank'>) =>
  ({ body: bytes }: ArrivedRequest): RouteAnswer => {
    const body = jsonOf(bytes.toString());
    if (!isObject(body)) return { answer: openAiErrorReply(notJson) };
    const model = String(body.model);
    const refusal = refuseRerank(body) ?? findRerankFault(body);
    if (refusal) return { model, answer: openAiErrorReply(refusal) };
    const tokens = rerankTokens(body);
    const results = rankedDocuments(body).slice(0, Number(body.top_n ?? Infinity));
    return {
      model,
      metered: meteredInput(tokens),
      answer: jsonReply(200, { model, results, usage: { total_tokens: tokens } }),
    };
  };

const notJson = invalidRequest('We could not parse the JSON body of your request.', null);

export function findRerankFault({ query, documents }: JsonObject): ApiError | undefined {
  if (typeof query !== 'string' || query === '') return invalidRequest("'$.query' is invalid.", 'query');
  const isGood = Array.isArray(documents) && documents.length > 0 && documents.every(isText);
  return isGood ? undefined : invalidRequest("'$.documents' is invalid.", 'documents');
}

const isText = (value: unknown): boolean => typeof value === 'string';

const documentsIn = ({ documents }: JsonObject): string[] => (Array.isArray(documents) ? documents.map(String) : []);

const tokensOf = (text: unknown): number => Math.ceil(String(text).length / 4);

/** The query is read with each document. */
export const rerankTokens = (body: JsonObject): number =>
  documentsIn(body).reduce((sum, document) => sum + tokensOf(document) + tokensOf(body.query), 0);

/** Cohere's search units: a query with 100 documents, of which each 500 tokens with the query count as one. */
export function rerankUnits(body: JsonObject): number {
  const most = Number(body.max_tokens_per_doc ?? 4_096);
  const query = tokensOf(body.query);
  const parts = documentsIn(body).map((document) => Math.ceil((Math.min(tokensOf(document), most) + query) / 500) || 1);
  return Math.ceil(parts.reduce((sum, count) => sum + count, 0) / 100);
}

/** All documents, the best first: by the share of the words of the query that they have. */
export function rankedDocuments(body: JsonObject): { index: number; relevance_score: number }[] {
  const asked = wordsOf(String(body.query));
  const scored = documentsIn(body).map((document, index) => {
    const words = new Set(wordsOf(document));
    const found = asked.filter((word) => words.has(word)).length;
    return { index, relevance_score: found / Math.max(asked.length, 1) };
  });
  return scored.toSorted((left, right) => right.relevance_score - left.relevance_score);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
