import { z } from 'zod';

const features = [
  'streaming',
  'vision',
  'tools',
  'parallelToolCalls',
  'reasoning',
  /** Temperature and the other hints that steer chance. */
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
  'web_search',
  'internal_reasoning',
] as const;

/** USD for one unit: a token, an image, a request. */
export const pricesSchema = z.partialRecord(z.enum(priceKinds), price);

export const offerEntrySchema = z.strictObject({
  provider: z.string().min(1),
  /** The provider's own name of the model. */
  model: z.string().min(1),
  pricing: pricesSchema,
  /** Prices of requests with longer prompts, ascending. */
  priceTiers: z.array(z.strictObject({ overInputTokens: z.int().positive(), pricing: pricesSchema })).optional(),
  /** From 0 to 1, instead of the provider's. */
  priority: z.number().min(0).max(1).optional(),
  /** Where this offer differs from its model. */
  features: z.array(z.enum(features)).optional(),
  contextLength: z.int().positive().optional(),
  maxOutput: z.int().positive().optional(),
  stability: z.string().min(1).optional(),
  deactivatedAt: date.optional(),
});

export const modelEntrySchema = z.strictObject({
  id: z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be printable ASCII without spaces'),
  name: z.string().min(1),
  aliases: z.array(z.string().min(1)).default([]),
  /** Unix seconds of the release; 0 where nobody told. */
  created: z.int().nonnegative().default(0),
  description: z.string().min(1),
  input: z.array(z.enum(['text', 'image', 'audio', 'video', 'file'])).min(1),
  output: z.array(z.enum(['text', 'image', 'audio'])).min(1),
  contextLength: z.int().positive().optional(),
  maxOutput: z.int().positive().optional(),
  features: z.array(z.enum(features)),
  /** The values `reasoning_effort` may have. */
  reasoningEfforts: z.array(z.string().min(1)).optional(),
  /** Where it differs from its family's. */
  tokenizer: z.string().min(1).optional(),
  /** Its vendor judges what is asked and answered. */
  moderated: z.boolean().optional(),
  /** Where no date says more: `preview`, `beta`. */
  stability: z.string().min(1).optional(),
  deprecatedAt: date.optional(),
  deactivatedAt: date.optional(),
  /** The model to use instead. */
  replacement: z.string().min(1).optional(),
  /** For whoever reviews this file: where a fact is weak. Shown to nobody else. */
  note: z.string().optional(),
  offers: z.array(offerEntrySchema).min(1),
});

/** One family of models, as a person writes and reviews it. */
export const dataFileSchema = z.strictObject({
  family: z.string().min(1),
  /** The day these facts were gathered. */
  asOf: z.iso.date().optional(),
  tokenizer: z.string().min(1).optional(),
  /** Only in the catalogue while the sandbox is on. */
  simulated: z.boolean().default(false),
  models: z.array(modelEntrySchema),
});

export type DataFile = z.infer<typeof dataFileSchema>;
export type ModelEntry = z.infer<typeof modelEntrySchema>;
export type OfferEntry = z.infer<typeof offerEntrySchema>;
export type Feature = (typeof features)[number];
