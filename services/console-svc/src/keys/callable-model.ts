import type { Client } from '@switchyard/bus';
import { type authService, type catalogService, hashKey, type Principal } from '@switchyard/contracts';
import type { Account } from '@switchyard/management';
import { z } from 'zod';

export interface ModelSources {
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

type ListedModel = z.output<typeof listSchema>['data'][number];

const timeoutMs = 3_000;
const maxListBytes = 16 * 1024 * 1024;

/** Returns a model that a key can call now; see `findCallableModel`. */
export const modelOfKey = (sources: ModelSources, key: string): Promise<string | undefined> =>
  findCallableModel(sources, async () => {
    const { caller } = await sources.auth.authenticate({ keyHash: hashKey(key) }, { timeoutMs });
    return caller?.principal;
  });

/** Returns a model that a key without limits of an account could call now; see `findCallableModel`. */
export const modelOfAccount = (
  sources: ModelSources,
  { id, providerKeyMode }: Pick<Account, 'id' | 'providerKeyMode'>,
): Promise<string | undefined> =>
  findCallableModel(sources, async () => ({ accountId: id, keyId: '', providerKeys: providerKeyMode }));

/**
 * Returns the cheapest chat model that a caller can call now, for examples: the models `GET /v1/models` lists for it.
 * `undefined` if there is none. Never throws: a page with an example must not fail.
 */
async function findCallableModel(
  { catalog, onFailure }: ModelSources,
  readPrincipal: () => Promise<Principal | undefined>,
): Promise<string | undefined> {
  try {
    const principal = await readPrincipal();
    if (principal === undefined) return undefined;
    const head = { requestId: '', principal, timeoutMs, headers: {}, query: 'exclude_deprecated=true' };
    const { body } = await catalog.listModels({ head, body: new Uint8Array(0) });
    const list = listSchema.parse(JSON.parse(Buffer.from(await body.bytes(maxListBytes)).toString()));
    return cheapest(list.data.filter(isChatModel))?.id;
  } catch (error) {
    onFailure(error);
    return undefined;
  }
}

const isChatModel = ({ architecture }: ListedModel): boolean =>
  architecture.input_modalities.includes('text') && architecture.output_modalities.join() === 'text';

const cheapest = (models: readonly ListedModel[]): ListedModel | undefined =>
  models.toSorted((one, other) => priceOf(one) - priceOf(other))[0];

/** A model without a known price comes last. */
const priceOf = ({ pricing: { prompt = Infinity, completion = Infinity } }: ListedModel): number => prompt + completion;
