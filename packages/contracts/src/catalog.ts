import { z } from 'zod';
import { knownRoutesSchema } from './routes.ts';

/** USD per unit, as decimal text: money is never a binary float. */
const pricingSchema = z.record(z.string(), z.string());

/**
 * Prices for prompts longer than `overInputTokens`. They apply to the whole request, not only to the tokens above it.
 */
const priceTierSchema = z.object({ overInputTokens: z.number(), pricing: pricingSchema });

/** What a service tier costs: each price per token times `factor` (1 when absent), except those in `pricing`. */
const serviceTierSchema = z.object({ factor: z.string().optional(), pricing: pricingSchema.optional() });

const priceMembers = {
  pricing: pricingSchema,
  /** Ascending. A price that a tier does not name is taken from `pricing`. */
  priceTiers: z.array(priceTierSchema).optional(),
};

/** A price and when it holds. Without `from` it is the first known one. */
const datedPriceSchema = z.object({ from: z.string().optional(), source: z.string().optional(), ...priceMembers });

/** A model at a provider. One attempt calls one offer. */
const offerSchema = z.object({
  providerId: z.string(),
  /** The provider's name for the model. */
  modelName: z.string(),
  ...priceMembers,
  /** The priced service tiers besides the standard one, by the name that an answer reports. */
  tiers: z.record(z.string(), serviceTierSchema).optional(),
  /** Since when these prices hold, or when they were first read if that is not known. */
  priceSince: z.string().optional(),
  priceSource: z.string().optional(),
  /** All prices that held, hold or will hold, ascending; absent if there is no other than the one in force. */
  priceHistory: z.array(datedPriceSchema).optional(),
  /** Factors of the prices per token of places where the data stays, by the name that an answer reports. */
  geos: z.record(z.string(), z.string()).optional(),
  /**
   * The operator's preference, from 0 to 1; 1 when absent. Routing adds `1 - priority` to the score; the lowest score
   * wins.
   */
  priority: z.number().optional(),
  streaming: z.boolean(),
  vision: z.boolean(),
  tools: z.boolean(),
  parallelToolCalls: z.boolean(),
  reasoning: z.boolean(),
  /** Values of `reasoning_effort` that this provider accepts; absent when unknown. */
  reasoningEfforts: z.array(z.string()).optional(),
  /** Whether this provider has JSON mode; when absent, the model's `jsonOutput` applies. */
  jsonOutput: z.boolean().optional(),
  /** Whether this provider supports JSON schemas; when absent, the model's `structuredOutputs` applies. */
  structuredOutputs: z.boolean().optional(),
  cancellation: z.boolean(),
  stability: z.string(),
  contextLength: z.number().optional(),
  maxOutput: z.number().optional(),
  deactivatedAt: z.string().optional(),
});

export type Offer = z.infer<typeof offerSchema>;

/** What an offer costs, as part of a price list. */
const offerPricesSchema = offerSchema
  .pick({ pricing: true, priceTiers: true, tiers: true, geos: true, priceSince: true, priceSource: true })
  .extend({ model: z.string(), provider: z.string() });

export type OfferPrices = z.infer<typeof offerPricesSchema>;

export const priceListSchema = z.array(offerPricesSchema);

/** Members of a request that some models ignore; `supportedParameters` of the others names them. */
export const samplingParameters: readonly string[] = [
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'stop',
  'temperature',
  'top_p',
];

const modelSchema = z.object({
  id: z.string(),
  name: z.string(),
  aliases: z.array(z.string()),
  created: z.number(),
  description: z.string(),
  family: z.string(),
  inputModalities: z.array(z.string()),
  outputModalities: z.array(z.string()),
  contextLength: z.number().optional(),
  maxOutput: z.number().optional(),
  /** The family of its tokenizer. */
  tokenizer: z.string().optional(),
  /** The vendor moderates prompts and answers. */
  moderated: z.boolean().optional(),
  /** False if answers must never be reused for an equal request; true when absent. */
  cached: z.boolean().optional(),
  /** Values of `reasoning_effort` that the model accepts. */
  reasoningEfforts: z.array(z.string()).optional(),
  jsonOutput: z.boolean(),
  structuredOutputs: z.boolean(),
  free: z.boolean(),
  deprecatedAt: z.string().optional(),
  deactivatedAt: z.string().optional(),
  /** The model to use instead. */
  replacement: z.string().optional(),
  stability: z.string(),
  supportedParameters: z.array(z.string()),
  offers: z.array(offerSchema),
});

export type Model = z.infer<typeof modelSchema>;

const texts = z.array(z.string());

/** How an OpenAI-format endpoint deviates from the format, as far as data can describe it. */
export const customQuirksSchema = z
  .strictObject({
    request: z
      .strictObject({
        /** Old name → new name. */
        rename: z.record(z.string(), z.string()),
        /** Members it rejects. They are removed. */
        drop: texts,
        /** Members that every request needs. */
        add: z.record(z.string(), z.json()),
      })
      .partial(),
    /** Members for which the request is refused, because leaving them out would change the answer: `logprobs`. */
    refuse: texts,
    /** Only these members are sent. */
    allow: texts,
    /** Members of our own format that it understands, for example `reasoning`. */
    keepOwn: texts,
    /** Members of earlier assistant messages to send back, for example `reasoning_content`. */
    keepInMessages: texts,
    /** The same, but only in messages after the last question. */
    keepInTurn: texts,
    /** Members of messages that it rejects, for example `name`. */
    dropInMessages: texts,
    /** `unasked`: it always sends usage and may reject `stream_options`. */
    streamUsage: z.enum(['asked', 'unasked']),
    /** Its finish reasons → ours; `fault` where the reason means that the provider failed. */
    finishReasons: z.record(
      z.string(),
      z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call', 'fault']),
    ),
    /** Its error codes → the status to use in place of the response's own status. */
    errorStatus: z.record(z.string(), z.int().min(400).max(599)),
    /** `tags`: some of its models write `<think>…</think>` before their answer. */
    thinking: z.literal('tags'),
    /** `answer`: sources are at the top level of the answer, as `citations` or `search_results`. */
    sources: z.literal('answer'),
    /** `inline`: it does not fetch images by URL, so they are sent inline; `url` when absent. */
    images: z.enum(['url', 'inline']),
    /** `systemone`: it decides in the format of TypeSafe's System One. */
    decisions: z.literal('systemone'),
    /** `tei`: it ranks documents as Text Embeddings Inference does. */
    rerank: z.literal('tei'),
    /** The most choices that one call can return. */
    maxChoices: z.int().min(1).max(128),
  })
  .partial();

/** Quirks sent by another version: unknown ones are dropped. */
const knownQuirksSchema = customQuirksSchema
  .extend({ request: customQuirksSchema.shape.request.unwrap().strip().optional() })
  .strip();

/**
 * An OpenAI-compatible provider that an operator added; `customProvider` of the providers package turns it into an
 * adapter.
 */
export const customProviderSchema = z.object({
  id: z.string(),
  baseUrl: z.string(),
  /** Prefix of its settings: `ACME` for `ACME_API_KEY` and `ACME_BASE_URL`. */
  keyVariable: z.string(),
  /** False for endpoints without authentication; true when absent. */
  needsKey: z.boolean().optional(),
  /** Appended to the base URL; `/chat/completions` when absent. */
  path: z.string().optional(),
  quirks: knownQuirksSchema.optional(),
});

export type CustomProvider = z.infer<typeof customProviderSchema>;

/**
 * What the catalogue will be at a date of it: a price takes force, a model ends. A replica with a copy changes it at that
 * moment by itself, so that no request after it has the price before it.
 */
const nextCatalogueSchema = z.object({
  at: z.iso.datetime(),
  version: z.string(),
  /** The models that change. */
  models: z.array(modelSchema),
});

/** Everything dispatch needs to know about models, as one versioned value. */
export const catalogueSchema = z.object({
  /** Names the content, prices included, apart from `next`. */
  version: z.string(),
  next: nextCatalogueSchema.optional(),
  models: z.array(modelSchema),
  /** Providers besides the built-in ones. */
  providers: z.array(customProviderSchema).optional(),
  /** The operator's routes, for all accounts. An account's route of the same name takes the place of one. */
  routes: knownRoutesSchema.optional(),
  /** The names of the simulated models while they are off. */
  simulatedOff: z.array(z.string()).optional(),
});

export type Catalogue = z.infer<typeof catalogueSchema>;

/** Identifies an override by kind and id. Setting an override again replaces it. */
export const catalogueOverrideNameSchema = z.object({
  kind: z.enum(['model', 'provider']),
  id: z.string().min(1).max(200),
});

/**
 * An operator's change to one model or provider, merged over the catalogue files. `value` has the same members as in
 * `tallyport.yaml`; `null` removes the model or provider.
 */
export const catalogueOverrideSchema = catalogueOverrideNameSchema.extend({ value: z.json() });

export type CatalogueOverride = z.infer<typeof catalogueOverrideSchema>;
