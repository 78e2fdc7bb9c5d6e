import { z } from 'zod';

const price = z.string().describe('USD per token, image or request, as decimal text.');

const providerSchema = z.object({
  providerId: z.string(),
  modelName: z.string().describe("The provider's own name of the model."),
  pricing: z.object({ prompt: price.optional(), completion: price.optional(), image: price.optional() }),
  streaming: z.boolean(),
  vision: z.boolean(),
  cancellation: z.boolean().describe('Leaving ends what the provider bills.'),
  tools: z.boolean(),
  parallelToolCalls: z.boolean(),
  reasoning: z.boolean(),
  stability: z.string(),
});

export const modelRecordSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  owned_by: z.string(),
  name: z.string(),
  aliases: z.array(z.string()),
  created: z.int().describe('Unix time in seconds.'),
  description: z.string(),
  family: z.string(),
  architecture: z.object({
    input_modalities: z.array(z.string()),
    output_modalities: z.array(z.string()),
    tokenizer: z.string(),
  }),
  top_provider: z.object({ is_moderated: z.boolean() }),
  providers: z.array(providerSchema),
  pricing: z.record(z.string(), price).describe('Of the first provider.'),
  context_length: z.int().optional(),
  per_request_limits: z.record(z.string(), z.string()),
  supported_parameters: z.array(z.string()),
  json_output: z.boolean(),
  structured_outputs: z.boolean(),
  free: z.boolean(),
  deprecated_at: z.iso.datetime().optional().describe('ISO 8601, UTC. Also of a day to come.'),
  deactivated_at: z.iso.datetime().optional().describe('From then on no provider answers.'),
  stability: z.string().describe('stable, preview, deprecated …'),
});

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelRecordSchema) });
