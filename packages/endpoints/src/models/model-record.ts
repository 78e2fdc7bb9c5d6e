import { z } from 'zod';
import type { Sent } from '../sent.ts';

const price = z.string().describe('USD per token, image or request, as a decimal string.');
/** Absent if the price is unknown. */
const known = price.optional();

const priceChangeSchema = z.object({
  from: z.string().describe('The moment from which the new price holds, ISO 8601.'),
  class: z.string().describe('Such as `prompt`, or `prompt over 272000` for longer prompts.'),
  old: known,
  new: known,
  source: z.string().optional(),
});

const providerSchema = z.object({
  providerId: z.string(),
  modelName: z.string().describe("The provider's name of the model."),
  pricing: z
    .object({ prompt: price, completion: price, image: price })
    .catchall(price)
    .describe('Its prices: "0" for what it does not bill, "-1" if unknown.'),
  price_since: z.string().optional().describe('Since when these prices hold, or when they were first read.'),
  price_source: z.string().optional(),
  price_changes: z
    .array(priceChangeSchema)
    .optional()
    .describe('Past and future changes of its prices, ascending. Absent if none is known.'),
  streaming: z.boolean(),
  vision: z.boolean(),
  cancellation: z.boolean().describe("Closing the connection stops the provider's billing."),
  tools: z.boolean(),
  parallelToolCalls: z.boolean(),
  reasoning: z.boolean(),
  stability: z.string(),
  available: z.boolean().describe('The provider can be called now.'),
  unavailable_reason: z.string().optional().describe('What is missing, for example a key.'),
});

const pixels = z.int().min(1);

const imageSizesSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('fixed'), sizes: z.array(z.string()) }).describe('Only these sizes.'),
    z
      .object({
        kind: z.literal('free'),
        min_side: pixels,
        max_side: pixels,
        min_pixels: pixels,
        max_pixels: pixels,
        max_ratio: z.number().describe('Largest ratio of the longer to the shorter side.'),
        multiple_of: pixels.describe('Each side is a multiple of this.'),
      })
      .describe('Any size within these limits.'),
    z
      .object({ kind: z.literal('ratio'), aspect_ratios: z.array(z.string()), image_sizes: z.array(z.string()) })
      .describe('An aspect ratio and, if listed, a class for `image_config.image_size`.'),
    z.object({ kind: z.literal('provider') }).describe('The provider decides.'),
  ])
  .describe(
    'Sizes the model makes at its first provider. For any other size up to 4096x4096 pixels the nearest ratio is made, cropped and scaled; `metadata.images` of the answer says how.',
  );

export const modelRecordSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  owned_by: z.string(),
  name: z.string(),
  aliases: z.array(z.string()),
  created: z.int().describe('Unix time in seconds of the release or, if unknown, of the entry in the catalogue.'),
  description: z.string(),
  family: z.string(),
  architecture: z.object({
    input_modalities: z.array(z.string()),
    output_modalities: z.array(z.string()),
    tokenizer: z.string(),
  }),
  top_provider: z.object({ is_moderated: z.boolean() }),
  available: z.boolean().describe('At least one of its providers can be called now.'),
  unavailable_reason: z.string().optional().describe('What is missing, for example a key.'),
  providers: z.array(providerSchema),
  pricing: z
    .object({
      prompt: price,
      completion: price,
      image: price.describe('Of a generated image.'),
      request: price,
      input_cache_read: price,
      input_cache_write: price,
      web_search: price.describe('Of one search that the vendor makes.'),
      internal_reasoning: price,
    })
    .catchall(price)
    .describe(
      'Prices of the first provider: "0" for what it does not bill by itself, "-1" if unknown. Tokens of a class with "0" cost what other tokens of the prompt or the answer do. Other members are there where the model bills them, such as `image_output`, `character` and `minute`.',
    ),
  context_length: z
    .int()
    .optional()
    .describe('In tokens. For models that only make images: the length of the prompt in characters.'),
  per_request_limits: z.record(z.string(), z.string()),
  image_sizes: imageSizesSchema.optional(),
  supported_parameters: z.array(z.string()),
  json_output: z.boolean(),
  structured_outputs: z.boolean(),
  free: z.boolean(),
  deprecated_at: z.iso.datetime().optional().describe('ISO 8601, UTC. May be in the future.'),
  deactivated_at: z.iso.datetime().optional().describe('From this time on no provider serves the model.'),
  stability: z.string().describe('stable, preview, deprecated …'),
  route: z
    .literal(true)
    .optional()
    .describe(
      'A named route: models that answer for this id. Its limits are the smallest of its targets, its prices the highest.',
    ),
});

export type SentModel = Sent<typeof modelRecordSchema>;

export const listedModelsSchema = z.object({ object: z.literal('list'), data: z.array(modelRecordSchema) });
