import { z } from 'zod';
import names from '../data/names/models-dev.json' with { type: 'json' };
import type { Feature } from '../data-file.ts';

const price = z.number().nonnegative().max(1e9).optional();
const limit = z.number().int().nonnegative().optional();
const flag = z.boolean().optional();
const kinds = z.array(z.string()).optional();
const prices = { input: price, output: price, cache_read: price, cache_write: price };

/** Only the members we read; prices are USD per million tokens. */
const modelSchema = z.looseObject({
  name: z.string().optional(),
  release_date: z.string().optional(),
  cost: z.looseObject({ ...prices, context_over_200k: z.looseObject(prices).optional() }).optional(),
  limit: z.looseObject({ context: limit, output: limit }).optional(),
  modalities: z.looseObject({ input: kinds, output: kinds }).optional(),
  tool_call: flag,
  reasoning: flag,
  structured_output: flag,
  temperature: flag,
  status: z.string().optional(),
});

/** A document in the format of models.dev: provider → models. */
const documentSchema = z.record(z.string(), z.looseObject({ models: z.record(z.string(), modelSchema) }));

type TheirModel = z.infer<typeof modelSchema>;

/** The document's facts about one offer, translated. Absent members are unknown. */
export interface ForeignFacts {
  pricing: Readonly<Record<string, string>>;
  priceTiers?: { overInputTokens: number; pricing: Record<string, string> }[];
  contextLength?: number;
  maxOutput?: number;
  /** Whether the offer has each feature; a missing feature is unknown. */
  features: ReadonlyMap<Feature, boolean>;
}

/** One offer of the document, with the facts about its model. */
export interface ForeignOffer extends ForeignFacts {
  providerId: string;
  modelName: string;
  name: string;
  /** Unix seconds of the release. */
  created?: number;
  input: readonly string[];
  output: readonly string[];
  deprecated: boolean;
}

export interface ForeignCatalogue {
  /** `undefined` if the document does not have this offer. */
  find(providerId: string, modelName: string): ForeignFacts | undefined;
  /** All offers of known providers. */
  offers(): ForeignOffer[];
}

/** Parses the document; throws if it has another format. Providers are found under our names. */
export function readModelsDev(document: unknown): ForeignCatalogue {
  const parsed = documentSchema.parse(document);
  const theirNames = new Map(Object.entries(names).map(([theirs, ours]) => [ours, theirs]));
  return {
    find(providerId, modelName) {
      const provider = parsed[theirNames.get(providerId) ?? providerId];
      const model = provider?.models[modelName];
      return model && factsOf(model);
    },
    offers: () =>
      [...theirNames].flatMap(([providerId, theirs]) =>
        Object.entries(parsed[theirs]?.models ?? {}).map(([modelName, model]) =>
          foreignOffer(model, { providerId, modelName }),
        ),
      ),
  };
}

function foreignOffer(model: TheirModel, names: Pick<ForeignOffer, 'providerId' | 'modelName'>): ForeignOffer {
  const released = Date.parse(model.release_date ?? '') / 1_000;
  return {
    ...names,
    ...factsOf(model),
    name: model.name ?? names.modelName,
    ...(Number.isInteger(released) && released > 0 && { created: released }),
    input: ourKinds(model.modalities?.input),
    output: ourKinds(model.modalities?.output),
    deprecated: model.status === 'deprecated',
  };
}

const ourKinds = (theirs: readonly string[] = ['text']): string[] =>
  theirs.map((kind) => (kind === 'pdf' ? 'file' : kind));

function factsOf(model: TheirModel): ForeignFacts {
  const { cost = {}, limit: { context, output } = {} } = model;
  const longer = cost.context_over_200k;
  return {
    pricing: pricesOf(cost),
    ...(longer && { priceTiers: [{ overInputTokens: 200_000, pricing: pricesOf(longer) }] }),
    // 0 means unknown in this format.
    ...(context && { contextLength: context }),
    ...(output && { maxOutput: output }),
    features: featuresOf(model),
  };
}

function featuresOf({ tool_call, reasoning, structured_output, temperature, modalities }: TheirModel) {
  const known: [Feature, boolean | undefined][] = [
    ['vision', modalities?.input?.includes('image')],
    ['tools', tool_call],
    ['reasoning', reasoning],
    ['sampling', temperature],
    ['structured', structured_output],
  ];
  return new Map(known.flatMap(([feature, has]) => (has === undefined ? [] : [[feature, has] as const])));
}

function pricesOf({ input, output, cache_read, cache_write }: z.infer<z.ZodObject<typeof prices>>) {
  const kinds = { prompt: input, completion: output, input_cache_read: cache_read, input_cache_write: cache_write };
  const known = Object.entries(kinds).flatMap(([kind, value]) =>
    value === undefined ? [] : [[kind, perToken(value)] as const],
  );
  return Object.fromEntries(known);
}

/** Exact: shifts the decimal point by six places instead of dividing. */
export function perToken(perMillion: number): string {
  const digits = perMillion.toFixed(9).replace('.', '').padStart(16, '0');
  const [whole, fraction] = [digits.slice(0, -15), digits.slice(-15)];
  return `${whole}.${fraction}`.replace(/\.?0+$/, '').replace(/^0+(?=\d)/, '') || '0';
}
