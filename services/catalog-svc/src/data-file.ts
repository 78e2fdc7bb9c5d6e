import { namesOf, ownEndpoints } from '@tallyport/contracts';
import { z } from 'zod';

const features = [
  'streaming',
  'vision',
  'tools',
  'parallelToolCalls',
  'reasoning',
  /** Temperature and the other sampling parameters. */
  'sampling',
  'json',
  'structured',
] as const;
const dateMessage = 'must be a date such as 2026-10-14 or 2026-10-14T00:00:00Z';
const date = z
  .string(dateMessage)
  .refine((text) => /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) && !Number.isNaN(Date.parse(text)), dateMessage)
  .transform((text) => (text.includes('T') ? text : `${text}T00:00:00Z`));
const priceMessage = 'must be USD as decimal text in quotes, such as "0.0000025"';
const price = z.string(priceMessage).regex(/^\d{1,9}(\.\d{1,20})?$/, priceMessage);
const priceKinds = [
  'prompt',
  'completion',
  'image',
  'request',
  'input_cache_read',
  'input_cache_write',
  'input_cache_write_30m',
  'input_cache_write_1h',
  'input_cache_write_12h',
  'audio_cache_read',
  'image_cache_read',
  'web_search',
  'web_fetch',
  'code_interpreter',
  'file_search',
  'grounding_maps',
  'grounding_images',
  'internal_reasoning',
  'audio_input',
  'audio_output',
  'image_input',
  'image_output',
  'character',
  'minute',
  'search',
] as const;

/** Endpoints of models that this gateway does not serve yet. */
const otherEndpoints = ['embeddings', 'responses', 'speech'] as const;

/** The source of the figures and the day they were read. */
const origin = { source: z.string().min(1).optional(), asOf: z.iso.date().optional() };

/** USD per unit: a token, an image, a request, a character of speech, a minute of audio, a search, which is a search unit of rerankers. */
const pricesSchema = z.partialRecord(z.enum(priceKinds), price);

const factor = z
  .string('must be a factor as decimal text in quotes, such as "0.5"')
  .regex(/^\d{1,3}(\.\d{1,6})?$/, 'must be a factor as decimal text in quotes, such as "0.5"');

/**
 * Prices of service tiers besides the standard one, by the name that the vendor reports: a factor for every price per
 * token, and prices that differ from it.
 */
const tiersSchema = z.record(
  z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be the name of a service tier, such as priority'),
  z.strictObject({ factor: factor.optional(), pricing: pricesSchema.optional() }),
);

/** The prices of an offer at a time. */
const priceMembers = {
  pricing: pricesSchema,
  /** Prices of requests with longer prompts, ascending. */
  priceTiers: z.array(z.strictObject({ overInputTokens: z.int().positive(), pricing: pricesSchema })).optional(),
};

const priceRowSchema = z.strictObject({
  /** The moment from which it holds, until the next row; only the first row may do without. */
  from: date.optional(),
  source: origin.source,
  ...priceMembers,
});

/** Ascending by date. */
const priceRowsSchema = z
  .array(priceRowSchema)
  .min(1)
  .superRefine((rows, context) => {
    for (const [at, { from }] of rows.entries()) {
      const before = rows[at - 1];
      if (before === undefined || (from !== undefined && from > (before.from ?? ''))) continue;
      const message = from === undefined ? 'is missing: only the first price needs no date' : datesMessage(before.from);
      context.addIssue({ code: 'custom', path: [at, 'from'], message });
    }
  });

const datesMessage = (before = ''): string => `must be later than that of the price before it, ${before}`;

export const offerEntrySchema = z.strictObject({
  provider: z.string().min(1),
  /** The provider's name of the model. */
  model: z.string().min(1),
  pricing: pricesSchema.optional(),
  priceTiers: priceMembers.priceTiers,
  /** They replace those of the same name that hold for the whole provider. Factors hold for the prices of all dates. */
  tiers: tiersSchema.optional(),
  /** In place of `pricing` and `priceTiers`: the prices that held, hold and will hold, each as a whole. */
  prices: priceRowsSchema.optional(),
  /** From 0 to 1; replaces the provider's. */
  priority: z.number().min(0).max(1).optional(),
  /** Where this offer differs from its model. */
  features: z.array(z.enum(features)).optional(),
  reasoningEfforts: z.array(z.string().min(1)).optional(),
  contextLength: z.int().positive().optional(),
  maxOutput: z.int().positive().optional(),
  stability: z.string().min(1).optional(),
  deactivatedAt: date.optional(),
  ...origin,
  /** For reviewers of this file, like a model's. */
  note: z.string().optional(),
});

function checkPrices(
  { pricing, priceTiers, prices }: z.infer<typeof offerEntrySchema>,
  context: z.RefinementCtx,
): void {
  const message =
    prices === undefined
      ? pricing === undefined && 'must have prices: pricing, or prices with dates'
      : (pricing ?? priceTiers) !== undefined &&
        'must be without pricing and priceTiers, because it has prices with dates';
  if (message !== false) context.addIssue({ code: 'custom', message });
}

export const modelEntrySchema = z.strictObject({
  id: z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be printable ASCII without spaces'),
  name: z.string().min(1),
  aliases: z.array(z.string().min(1)).default([]),
  /** Unix seconds of the release. If unknown (or 0), the catalogue shows the day the facts were gathered. */
  created: z.int().nonnegative().optional(),
  description: z.string().min(1),
  /** The model's only endpoint, if this gateway lacks it: its facts are kept, but it is not in the catalogue. */
  endpoint: z.enum(otherEndpoints).optional(),
  input: z.array(z.enum(['text', 'image', 'audio', 'video', 'file'])).min(1),
  output: z.array(z.enum(['text', 'image', 'audio', ...namesOf(ownEndpoints)])).min(1),
  contextLength: z.int().positive().optional(),
  maxOutput: z.int().positive().optional(),
  features: z.array(z.enum(features)),
  /** The allowed values of `reasoning_effort`. */
  reasoningEfforts: z.array(z.string().min(1)).optional(),
  /** If it differs from that of its family. */
  tokenizer: z.string().min(1).optional(),
  /** The vendor moderates prompts and answers. */
  moderated: z.boolean().optional(),
  /** False if answers must never be reused for an equal request. */
  cached: z.boolean().optional(),
  /** Used if no date decides: `preview`, `beta`. */
  stability: z.string().min(1).optional(),
  deprecatedAt: date.optional(),
  deactivatedAt: date.optional(),
  /** The model to use instead. */
  replacement: z.string().min(1).optional(),
  /** The source of its dates; each offer names the source of its own figures. */
  source: origin.source,
  /** For reviewers of this file: which facts are uncertain. Not shown to clients. */
  note: z.string().optional(),
  offers: z.array(offerEntrySchema.superRefine(checkPrices)).min(1),
});

/** Prices of classes that follow from others at some providers of a family, for each of its chat models. */
const classRuleSchema = z.strictObject({
  providers: z.array(z.string().min(1)).min(1),
  /** Multiples of the price of the prompt, for models that charge for writing to their cache. */
  factors: z.partialRecord(z.enum(priceKinds), factor).optional(),
  /** The same for each model. */
  pricing: pricesSchema.optional(),
  /** Factors of all prices per token by the place where the data stays. */
  geos: z.record(z.string().min(1), factor).optional(),
  source: z.string().min(1),
  asOf: z.iso.date(),
  note: z.string().optional(),
});

export type ClassRule = z.infer<typeof classRuleSchema>;

/** A family of models, as people write and review it. */
export const dataFileSchema = z.strictObject({
  family: z.string().min(1),
  /** The day these facts were gathered. */
  asOf: z.iso.date().optional(),
  tokenizer: z.string().min(1).optional(),
  /** Included only while the sandbox is on. */
  simulated: z.boolean().default(false),
  classRules: z.array(classRuleSchema).default([]),
  models: z.array(modelEntrySchema),
});

/** Service tiers of all chat models of a provider, by the provider, or of those of one family. */
export const tierRulesSchema = z.record(
  z.string().min(1),
  z.strictObject({
    family: z.string().min(1).optional(),
    tiers: tiersSchema,
    source: z.string().min(1),
    asOf: z.iso.date(),
    note: z.string().optional(),
  }),
);

export type TierRules = z.infer<typeof tierRulesSchema>;
export type DataFile = z.infer<typeof dataFileSchema>;
export type ModelEntry = z.infer<typeof modelEntrySchema>;
export type OfferEntry = z.infer<typeof offerEntrySchema>;
export type PriceRow = z.infer<typeof priceRowSchema>;
export type Feature = (typeof features)[number];
