import { type ApiError, type JsonObject, openAiUnknownModel } from '@tallyport/sandbox';
import { unknownMember } from '../refusals.ts';
import { unknownParameter } from './value-checks.ts';

const known = ['model', 'input', 'dimensions', 'encoding_format', 'user'];

/** Refuses unknown members and models without embeddings, as OpenAI does. */
export function findUnknownEmbeddingMember(body: JsonObject): ApiError | undefined {
  const unknown = unknownMember(body, known);
  if (unknown !== undefined) return unknownParameter(unknown);
  const model = String(body.model);
  return /embedding/.test(model) ? undefined : openAiUnknownModel(model);
}
