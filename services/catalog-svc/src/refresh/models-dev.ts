import { z } from 'zod';
import names from '../data/names/models-dev.json' with { type: 'json' };

const price = z.number().nonnegative().max(1e9).optional();
const limit = z.number().int().nonnegative().optional();

/** Only what we read; USD per million tokens. */
const modelSchema = z.looseObject({
  cost: z.looseObject({ input: price, output: price, cache_read: price, cache_write: price }).optional(),
  limit: z.looseObject({ context: limit, output: limit }).optional(),
});

/** A price document in the format of models.dev: provider → models. */
const documentSchema = z.record(z.string(), z.looseObject({ models: z.record(z.string(), modelSchema) }));

/** What is known of one offer elsewhere, in our words. */
export interface ForeignFacts {
  pricing: Readonly<Record<string, string>>;
  contextLength?: number;
  maxOutput?: number;
}

export interface ForeignPrices {
  /** `undefined` when the document says nothing of this offer. */
  find(providerId: string, modelName: string): ForeignFacts | undefined;
}

/** Throws when it is not such a document. Providers the document has under another name are found by ours. */
export function readModelsDev(document: unknown): ForeignPrices {
  const parsed = documentSchema.parse(document);
  const theirNames = new Map(Object.entries(names).map(([theirs, ours]) => [ours, theirs]));
  return {
    find(providerId, modelName) {
      const provider = parsed[theirNames.get(providerId) ?? providerId];
      const model = provider?.models[modelName];
      return model && factsOf(model);
    },
  };
}

function factsOf({ cost = {}, limit: { context, output } = {} }: z.infer<typeof modelSchema>): ForeignFacts {
  const prices = {
    prompt: cost.input,
    completion: cost.output,
    input_cache_read: cost.cache_read,
    input_cache_write: cost.cache_write,
  };
  const known = Object.entries(prices).flatMap(([kind, value]) =>
    value === undefined ? [] : [[kind, perToken(value)]],
  );
  return {
    pricing: Object.fromEntries(known),
    // 0 stands for unknown there.
    ...(context && { contextLength: context }),
    ...(output && { maxOutput: output }),
  };
}

/** Exact: the point moves by six places, nothing is divided. */
export function perToken(perMillion: number): string {
  const digits = perMillion.toFixed(9).replace('.', '').padStart(16, '0');
  const [whole, fraction] = [digits.slice(0, -15), digits.slice(-15)];
  return `${whole}.${fraction}`.replace(/\.?0+$/, '').replace(/^0+(?=\d)/, '') || '0';
}
