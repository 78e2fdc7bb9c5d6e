import {
  findRerankFault,
  isObject,
  type JsonObject,
  jsonOf,
  jsonReply,
  rankedDocuments,
  type RouteAnswer,
} from '@tallyport/sandbox';
import { meteredUnits } from '../rerank/routes.ts';
import { bedrockErrorReply, bedrockInvalid, requestId } from './errors.ts';

export const isReranker = (model: string): boolean => /^(amazon|cohere)\.rerank-/.test(model);

/** `invoke` for models that rank. Cohere's need the version of their API. Nothing is counted in the answer. */
export function answerRerank(model: string, bytes: Buffer): RouteAnswer {
  const body = jsonOf(bytes.toString());
  const fault = isObject(body) ? faultIn(body, model) : 'The request body is not valid JSON.';
  if (fault !== undefined || !isObject(body)) return { model, answer: bedrockErrorReply(bedrockInvalid(fault ?? '')) };
  const results = rankedDocuments(body).slice(0, Number(body.top_n ?? Infinity));
  return {
    model,
    metered: meteredUnits(body),
    answer: jsonReply(200, { results }, { 'x-amzn-requestid': requestId }),
  };
}

function faultIn(body: JsonObject, model: string): string | undefined {
  const known = ['query', 'documents', 'top_n', ...(model.startsWith('cohere.') ? ['api_version'] : [])];
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) return malformed(unknown);
  if (model.startsWith('cohere.') && body.api_version !== 2) return malformed('api_version');
  if (Array.isArray(body.documents) && body.documents.length > 1_000) return malformed('documents');
  const wrong = findRerankFault(body)?.param;
  return typeof wrong === 'string' ? malformed(wrong) : undefined;
}

const malformed = (member: string): string => `Malformed input request: #/${member}, please reformat your input.`;
