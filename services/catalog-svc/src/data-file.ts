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
  'web_search',
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
const otherEndpoints = ['embeddings', 'rerank', 'responses', 'speech'] as const;

/** The source of the figures and the day they were read. */
const origin = { source: z.string().min(1).optional(), asOf: z.iso.date().optional() };

/** USD per unit: a token, an image, a request, a character of speech, a minute of audio, a search. */
export const pricesSchema = z.partialRecord(z.enum(priceKinds), price);

export const offerEntrySchema = z.strictObject({
  provider: z.string().min(1),
  /** The provider's name of the model. */
  model: z.string().min(1),
  pricing: pricesSchema,
  /** Prices of requests with longer prompts, ascending. */
  priceTiers: z.array(z.strictObject({ overInputTokens: z.int().positive(), pricing: pricesSchema })).optional(),
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
  offers: z.array(offerEntrySchema).min(1),
});

/** A family of models, as people write and review it. */
export const dataFileSchema = z.strictObject({
  family: z.string().min(1),
  /** The day these facts were gathered. */
  asOf: z.iso.date().optional(),
  tokenizer: z.string().min(1).optional(),
  /** Included only while the sandbox is on. */
  simulated: z.boolean().default(false),
  models: z.array(modelEntrySchema),
});

export type DataFile = z.infer<typeof dataFileSchema>;
export type ModelEntry = z.infer<typeof modelEntrySchema>;
export type OfferEntry = z.infer<typeof offerEntrySchema>;
export type Feature = (typeof features)[number];
