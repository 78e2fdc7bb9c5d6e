import type { ImagesUsage } from '@tallyport/wire';
import { z } from 'zod';
import { eventStream, json } from '../content-types.ts';
import { metadataSchema } from '../answer-metadata.ts';

const count = z.int().min(0);
const details = z.object({ text_tokens: count, image_tokens: count }).optional();

const tokens = z.object({
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  input_tokens_details: details,
  output_tokens_details: details,
  cost: z.number().describe('In USD. Absent if the price is unknown.').optional(),
}) satisfies z.ZodType<ImagesUsage>;

const usage = tokens
  .partial()
  .extend({ images: count.describe('Number of images made.') })
  .describe('Token counts are present only if the provider reports them.');

const metadata = metadataSchema.extend({
  missing: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .optional()
    .describe('Why there are fewer images than requested.'),
  style: z
    .object({ requested: z.enum(['vivid', 'natural']), applied_as: z.enum(['parameter', 'sentence']) })
    .optional()
    .describe('How the requested style reached the model: as its own parameter, or as a sentence in the prompt.'),
});

export const imagesSchema = z.object({
  created: z.int().describe('Unix time in seconds.'),
  data: z.array(
    z.object({
      b64_json: z.string().describe('The image in base64.'),
      revised_prompt: z.string().optional().describe('The prompt the model used.'),
    }),
  ),
  background: z.string().optional(),
  output_format: z.enum(['png', 'jpeg', 'webp', 'gif']).optional(),
  quality: z.string().optional(),
  size: z.string().optional().describe('Actual size of the first image.'),
  usage,
  metadata,
});

const eventMembers = {
  b64_json: z.string().describe('The image in base64.'),
  created_at: z.int().describe('Unix time in seconds.'),
  size: z.string(),
  quality: z.string(),
  background: z.string(),
  output_format: z.enum(['png', 'jpeg', 'webp', 'gif']),
};

const eventsOf = <const Name extends string>(name: Name) =>
  z.union([
    z.object({ type: z.literal(`${name}.partial_image`), ...eventMembers, partial_image_index: count }),
    z.object({
      type: z.literal(`${name}.completed`),
      ...eventMembers,
      revised_prompt: z.string().optional(),
      usage: usage.describe('Of all images, in the last event; zero in those before it.'),
      metadata: metadata.optional().describe('Only in the last event.'),
    }),
  ]);

export const generationEventSchema = eventsOf('image_generation');
export const editEventSchema = eventsOf('image_edit');

export const answersOfImages = (event: z.ZodType) => ({
  200: {
    description: 'The images; with `stream`, events.',
    content: { [json]: { schema: imagesSchema }, [eventStream]: { schema: event, events: true as const } },
  },
});
