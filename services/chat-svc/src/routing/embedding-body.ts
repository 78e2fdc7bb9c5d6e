import { type ModelIndex, resolveModel } from '@tallyport/dispatch';
import { asEmbeddingRequest, type EmbeddingRequest } from '../embeddings/embedding-request.ts';

/** Reads a body with `input` for a model that makes embeddings; `undefined` for any other. Throws like the endpoint. */
export function embeddingBody(body: unknown, index: ModelIndex): EmbeddingRequest | undefined {
  if (typeof body !== 'object' || body === null || !('input' in body) || !('model' in body)) return undefined;
  if (typeof body.model !== 'string') return undefined;
  const { model } = resolveModel(body.model, index);
  return model.outputModalities.includes('embeddings') ? asEmbeddingRequest(body) : undefined;
}
