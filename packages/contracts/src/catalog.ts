import { z } from 'zod';

/** USD per unit, as decimal text: money is never a binary float. */
export const pricingSchema = z.record(z.string(), z.string());

/** A model at a provider: what one attempt can be made of. */
export const offerSchema = z.object({
  providerId: z.string(),
  /** The provider's own name of the model. */
  modelName: z.string(),
  pricing: pricingSchema,
  streaming: z.boolean(),
  vision: z.boolean(),
  tools: z.boolean(),
  parallelToolCalls: z.boolean(),
  reasoning: z.boolean(),
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
  jsonOutput: z.boolean(),
  structuredOutputs: z.boolean(),
  free: z.boolean(),
  deprecatedAt: z.string().optional(),
  deactivatedAt: z.string().optional(),
  stability: z.string(),
  supportedParameters: z.array(z.string()),
  offers: z.array(offerSchema),
});

export type Model = z.infer<typeof modelSchema>;

/** Everything dispatch needs to know of models, as one versioned value. */
export const catalogueSchema = z.object({ version: z.string(), models: z.array(modelSchema) });

export type Catalogue = z.infer<typeof catalogueSchema>;
