import { type ModelIndex, resolveModel } from '@tallyport/dispatch';
import { readSuffix } from '@tallyport/serving';

/** Whether a body with `input` names a model that makes embeddings. */
export function isEmbeddingBody(body: unknown, index: ModelIndex): boolean {
  if (typeof body !== 'object' || body === null || !('model' in body) || typeof body.model !== 'string') return false;
  const { model } = resolveModel(readSuffix({ model: body.model }, index).model, index);
  return model.outputModalities.includes('embeddings');
}
