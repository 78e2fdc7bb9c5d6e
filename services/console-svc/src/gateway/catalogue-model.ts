import { z } from 'zod';

const texts = z.array(z.string());
const prices = z.record(z.string(), z.string());

/** The members of a model of `GET /v1/models` that pages show. */
export const catalogueModelSchema = z.object({
  id: z.string(),
  name: z.string(),
  family: z.string(),
  description: z.string(),
  aliases: texts,
  architecture: z.object({ input_modalities: texts, output_modalities: texts }),
  available: z.boolean(),
  unavailable_reason: z.string().optional(),
  providers: z.array(
    z.object({
      providerId: z.string(),
      modelName: z.string(),
      pricing: prices,
      price_since: z.string().optional(),
      price_source: z.string().optional(),
      price_changes: z
        .array(
          z.object({
            from: z.string(),
            class: z.string(),
            old: z.string().optional(),
            new: z.string().optional(),
            source: z.string().optional(),
          }),
        )
        .optional(),
      available: z.boolean(),
      unavailable_reason: z.string().optional(),
      vision: z.boolean(),
      tools: z.boolean(),
      reasoning: z.boolean(),
      streaming: z.boolean(),
    }),
  ),
  pricing: prices,
  context_length: z.number().optional(),
  per_request_limits: z.object({ completion_tokens: z.string().optional() }),
  structured_outputs: z.boolean(),
  json_output: z.boolean(),
  deprecated_at: z.string().optional(),
  /** Set for a named route. */
  route: z.literal(true).optional(),
});

export type CatalogueModel = z.output<typeof catalogueModelSchema>;

export const catalogueModelsSchema = z.object({ data: z.array(catalogueModelSchema) });
