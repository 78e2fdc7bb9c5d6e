import { z } from 'zod';

const texts = z.array(z.string());

/** The members of `GET /v1/models` records that tools use. */
const modelRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  aliases: texts.default([]),
  description: z.string(),
  family: z.string(),
  architecture: z.object({ input_modalities: texts, output_modalities: texts }),
  providers: z.array(z.object({ providerId: z.string() })),
  pricing: z.record(z.string(), z.string()),
  context_length: z.number().optional(),
  stability: z.string(),
  deprecated_at: z.string().optional(),
  deactivated_at: z.string().optional(),
});

export type ModelRecord = z.output<typeof modelRecordSchema>;

export const modelListSchema = z.object({ data: z.array(modelRecordSchema) });
