import type { ImagesUsage } from '@switchyard/wire';
import { z } from 'zod';
import { metadataSchema } from './chat.ts';

const count = z.int().min(0);
const details = z.object({ text_tokens: count, image_tokens: count }).optional();

const tokens = z.object({
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  input_tokens_details: details,
  output_tokens_details: details,
  cost: z.number().describe('In USD; absent where no price is known.').optional(),
}) satisfies z.ZodType<ImagesUsage>;

export const imagesSchema = z.object({
  created: z.int().describe('Unix time in seconds.'),
  data: z.array(
    z.object({
      b64_json: z.string().describe('The image in base64.'),
      revised_prompt: z.string().optional().describe('What the model was really asked.'),
    }),
  ),
  background: z.string().optional(),
  output_format: z.enum(['png', 'jpeg', 'webp', 'gif']).optional(),
  quality: z.string().optional(),
  size: z.string().optional().describe('Of the first image, as its bytes say.'),
  usage: tokens
    .partial()
    .extend({ images: count.describe('How many were made.') })
    .describe('Tokens only where the provider counts them.'),
  metadata: metadataSchema.extend({
    missing: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .optional()
      .describe('Why there are fewer images than were asked for.'),
  }),
});
