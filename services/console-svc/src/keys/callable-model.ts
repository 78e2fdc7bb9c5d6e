import type { Client } from '@tallyport/bus';
import { type authService, type catalogService, hashKey } from '@tallyport/contracts';
import { z } from 'zod';

interface ModelSources {
  auth: Pick<Client<(typeof authService)['operations']>, 'authenticate'>;
  catalog: Pick<Client<(typeof catalogService)['operations']>, 'listModels'>;
  /** Called if the list is not available. */
  onFailure(error: unknown): void;
}

const texts = z.array(z.string());

/** The members of `GET /v1/models` records that the choice needs. */
const listSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      architecture: z.object({ input_modalities: texts, output_modalities: texts }),
      pricing: z.object({ prompt: z.coerce.number().optional(), completion: z.coerce.number().optional() }),
    }),
  ),
});

interface PricedModel {
  id: string;
  architecture: { input_modalities: readonly string[]; output_modalities: readonly string[] };
  pricing: { prompt?: string | number | undefined; completion?: string | number | undefined };
}

const timeoutMs = 3_000;
const maxListBytes = 16 * 1024 * 1024;

/**
 * Returns the cheapest chat model that a key can call now, for examples: the models `GET /v1/models` lists for the key.
 * `undefined` if there is none. Never throws: the page that shows a new key must not fail.
 */
export async function findCallableModel(
  { auth, catalog, onFailure }: ModelSources,
  key: string,
): Promise<string | undefined> {
  try {
    const { caller } = await auth.authenticate({ keyHash: hashKey(key) }, { timeoutMs });
    if (caller === null) return undefined;
    const head = {
      requestId: '',
      principal: caller.principal,
      timeoutMs,
      headers: {},
      query: 'exclude_deprecated=true',
    };
    const { body } = await catalog.listModels({ head, body: new Uint8Array(0) });
    const list = listSchema.parse(JSON.parse(Buffer.from(await body.bytes(maxListBytes)).toString()));
    return cheapestChatModel(list.data)?.id;
  } catch (error) {
    onFailure(error);
    return undefined;
  }
}

/** The cheapest model for chats of text; one without a known price comes last. */
export const cheapestChatModel = (models: readonly PricedModel[]): PricedModel | undefined =>
  models.filter(isChatModel).toSorted((one, other) => priceOf(one) - priceOf(other))[0];

const isChatModel = ({ architecture }: PricedModel): boolean =>
  architecture.input_modalities.includes('text') && architecture.output_modalities.join() === 'text';

const priceOf = ({ pricing: { prompt = Infinity, completion = Infinity } }: PricedModel): number =>
  Number(prompt) + Number(completion);
