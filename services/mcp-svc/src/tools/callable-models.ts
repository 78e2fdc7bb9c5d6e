import { GatewayError } from '@tallyport/contracts';
import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { type ModelRecord, modelListSchema } from './model-list.ts';
import { readAnswer } from './read-answer.ts';
import type { ToolContext } from '../tool.ts';

const offersSchema = z.object({
  data: z.array(z.object({ model: z.string(), provider: z.string(), obstacle: z.string().nullable() })),
});

/** The models a tool can call, each with its callable providers. Returns all models while chat-svc is unavailable. */
export async function callableModels(
  gateway: Pick<Gateway, 'listModels' | 'listOffers'>,
  filters: Readonly<Record<string, boolean>>,
  context: ToolContext,
): Promise<readonly ModelRecord[]> {
  const [models, offers] = await Promise.all([
    gateway.listModels(filters, context),
    gateway.listOffers(context).catch(ignoreServerError),
  ]);
  const { data } = readAnswer(modelListSchema, models);
  if (offers === undefined) return data;
  const callable = new Map<string, Set<string>>();
  for (const { model, provider, obstacle } of readAnswer(offersSchema, offers).data) {
    const providers = callable.get(model) ?? new Set();
    callable.set(model, obstacle === null ? providers.add(provider) : providers);
  }
  return data.flatMap((model) => withProviders(model, callable.get(model.id)));
}

/** A deactivated model has no offers. It is only listed on request, and then unchanged. */
function withProviders(model: ModelRecord, callable: ReadonlySet<string> | undefined): ModelRecord[] {
  if (callable === undefined) return [model];
  const providers = model.providers.filter(({ providerId }) => callable.has(providerId));
  return providers.length === 0 ? [] : [{ ...model, providers }];
}

/** The list is useful even without knowing which providers have a key. */
function ignoreServerError(thrown: unknown): undefined {
  if (!(thrown instanceof GatewayError) || thrown.status < 500) throw thrown;
}
