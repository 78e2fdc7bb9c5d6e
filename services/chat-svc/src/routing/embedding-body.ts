import type { RequestHead } from '@tallyport/contracts';
import { type PlanGround, resolveModel } from '@tallyport/dispatch';
import { type NamedRoutes, readSuffix } from '@tallyport/serving';

interface Known {
  chats: Pick<PlanGround, 'index'>;
  routes: NamedRoutes;
}

/** Whether a body with `input` names a model that makes embeddings, or a route. */
export async function isEmbeddingBody(
  body: unknown,
  { principal }: RequestHead,
  { chats: { index }, routes }: Known,
): Promise<boolean> {
  if (typeof body !== 'object' || body === null || !('model' in body) || typeof body.model !== 'string') return false;
  if ((await routes.find(body.model, principal)) !== undefined) return true;
  const { model } = resolveModel(readSuffix({ model: body.model }, index).model, index);
  return model.outputModalities.includes('embeddings');
}
