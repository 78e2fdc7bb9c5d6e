import { z } from 'zod';

/** USD per unit, as decimal text: money is never a binary float. */
export const pricingSchema = z.record(z.string(), z.string());

/** What a request costs whose prompt is longer: all of it is billed by these prices. */
export const priceTierSchema = z.object({ overInputTokens: z.number(), pricing: pricingSchema });

/** A model at a provider: what one attempt can be made of. */
export const offerSchema = z.object({
  providerId: z.string(),
  /** The provider's own name of the model. */
  modelName: z.string(),
  pricing: pricingSchema,
  /** Ascending; kinds of price a tier does not name stay as they are. */
  priceTiers: z.array(priceTierSchema).optional(),
  /** From 0 to 1; 1 when absent. An operator's wish: routing adds what is missing to 1 to the score. */
  priority: z.number().optional(),
  streaming: z.boolean(),
  vision: z.boolean(),
  tools: z.boolean(),
  parallelToolCalls: z.boolean(),
  reasoning: z.boolean(),
  /** JSON mode at this provider. Where absent, what the model says counts. */
  jsonOutput: z.boolean().optional(),
  /** Answers that follow a JSON schema, at this provider. Where absent, what the model says counts. */
  structuredOutputs: z.boolean().optional(),
  cancellation: z.boolean(),
  stability: z.string(),
  contextLength: z.number().optional(),
  maxOutput: z.number().optional(),
  deactivatedAt: z.string().optional(),
});

export type Offer = z.infer<typeof offerSchema>;

export const modelSchema = z.object({
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
  /** The name of its tokenizer's kind. */
  tokenizer: z.string().optional(),
  /** Its vendor judges what is asked and answered. */
  moderated: z.boolean().optional(),
  /** The values `reasoning_effort` may have. */
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

/** How an OpenAI-format endpoint differs from the format, in so far as data can say it. */
export const customQuirksSchema = z
  .strictObject({
    request: z
      .strictObject({
        /** Old name → new name. */
        rename: z.record(z.string(), z.string()),
        /** Members it refuses. */
        drop: texts,
        /** Members every request needs. */
        add: z.record(z.string(), z.json()),
      })
      .partial(),
    /** Members that are refused instead of left out, since they change what an answer means: `logprobs`. */
    refuse: texts,
    /** Only these members are sent. */
    allow: texts,
    /** Members of ours it understands as they are, such as `reasoning`. */
    keepOwn: texts,
    /** Members of earlier assistant messages it wants back, such as `reasoning_content`. */
    keepInMessages: texts,
    /** The same, only in what follows the last user message. */
    keepInTurn: texts,
    /** Members of messages it refuses, such as `name`. */
    dropInMessages: texts,
    /** `unasked`: it sends usage by itself and may refuse `stream_options`. */
    streamUsage: z.enum(['asked', 'unasked']),
    /** Its own finish reasons → ours; `fault` where it means that it failed. */
    finishReasons: z.record(
      z.string(),
      z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call', 'fault']),
    ),
    /** The status an error code of it means, whatever status it came with. */
    errorStatus: z.record(z.string(), z.int().min(400).max(599)),
    /** `tags`: some of its models print `<think>…</think>` in front of their answer. */
    thinking: z.literal('tags'),
    /** `answer`: sources stand at the top level of its answer, as `citations` or `search_results`. */
    sources: z.literal('answer'),
    /** `inline`: it fetches no images; `url` when absent. */
    images: z.enum(['url', 'inline']),
    /** How many choices one call can bring. */
    maxChoices: z.int().min(1).max(128),
  })
  .partial();

/** Quirks as another version sent them: those we do not know are left out. */
const knownQuirksSchema = customQuirksSchema
  .extend({ request: customQuirksSchema.shape.request.unwrap().strip().optional() })
  .strip();

/** A provider of OpenAI's format that an operator added: what `customProvider` of the providers' package is made from. */
export const customProviderSchema = z.object({
  id: z.string(),
  baseUrl: z.string(),
  /** `ACME` for `ACME_API_KEY` and `ACME_BASE_URL`. */
  keyVariable: z.string(),
  /** False for endpoints that ask for no key; true when absent. */
  needsKey: z.boolean().optional(),
  /** `/chat/completions` when absent; follows the base URL. */
  path: z.string().optional(),
  quirks: knownQuirksSchema.optional(),
});

export type CustomProvider = z.infer<typeof customProviderSchema>;

/** Everything dispatch needs to know of models, as one versioned value. */
export const catalogueSchema = z.object({
  version: z.string(),
  models: z.array(modelSchema),
  /** Providers besides those built in. */
  providers: z.array(customProviderSchema).optional(),
});

export type Catalogue = z.infer<typeof catalogueSchema>;

/** What an override is about. Together with its id it is its name: setting it again replaces it. */
export const catalogueOverrideNameSchema = z.object({
  kind: z.enum(['model', 'provider']),
  id: z.string().min(1).max(200),
});

/** An operator's word on one model or provider, laid over the files: the same members as in `switchyard.yaml`; `null` takes it away. */
export const catalogueOverrideSchema = catalogueOverrideNameSchema.extend({ value: z.json() });

export type CatalogueOverride = z.infer<typeof catalogueOverrideSchema>;
