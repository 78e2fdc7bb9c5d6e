import { z } from 'zod';

const features = ['streaming', 'vision', 'tools', 'parallelToolCalls', 'reasoning', 'json', 'structured'] as const;
const date = z.iso.datetime();
const price = z.string().regex(/^\d+(\.\d+)?$/, 'must be USD as decimal text, such as "0.0000025"');
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

const offer = z.strictObject({
  provider: z.string().min(1),
  /** The provider's own name of the model. */
  model: z.string().min(1),
  pricing: z.partialRecord(z.enum(priceKinds), price),
  /** Where this offer differs from its model. */
  features: z.array(z.enum(features)).optional(),
  contextLength: z.int().positive().optional(),
  maxOutput: z.int().positive().optional(),
  stability: z.string().optional(),
  deactivatedAt: date.optional(),
});

const model = z.strictObject({
  id: z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces'),
  name: z.string().min(1),
  aliases: z.array(z.string()).default([]),
  created: z.int().positive(),
  description: z.string().min(1),
  input: z.array(z.enum(['text', 'image', 'audio', 'video', 'file'])).min(1),
  output: z.array(z.enum(['text', 'image', 'audio'])).min(1),
  contextLength: z.int().positive().optional(),
  maxOutput: z.int().positive().optional(),
  features: z.array(z.enum(features)),
  stability: z.string().optional(),
  deprecatedAt: date.optional(),
  deactivatedAt: date.optional(),
  offers: z.array(offer).min(1),
});

/** One family of models, as a person writes and reviews it. Prices are USD for one unit: a token, an image, a request. */
export const dataFileSchema = z.strictObject({
  family: z.string().min(1),
  /** Only in the catalogue while the sandbox is on. */
  simulated: z.boolean().default(false),
  models: z.array(model),
});

export type DataFile = z.infer<typeof dataFileSchema>;
export type ModelEntry = DataFile['models'][number];
export type OfferEntry = ModelEntry['offers'][number];
export type Feature = (typeof features)[number];
