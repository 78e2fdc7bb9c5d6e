import type { Usage } from '@tallyport/wire';
import { z } from 'zod';

const count = z.int().min(0);

/** The usage of an answer. */
export const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: z
    .object({
      cached_tokens: count.optional(),
      cache_write_tokens: count.optional(),
      audio_tokens: count.optional(),
      text_tokens: count.optional(),
      image_tokens: count.optional(),
    })
    .optional()
    .describe('Parts of prompt_tokens.'),
  completion_tokens_details: z
    .object({
      reasoning_tokens: count.optional(),
      audio_tokens: count.optional(),
      accepted_prediction_tokens: count.optional(),
      rejected_prediction_tokens: count.optional(),
      text_tokens: count.optional(),
      image_tokens: count.optional(),
    })
    .optional()
    .describe('Parts of completion_tokens.'),
  cost: z.number().optional().describe('Cost of the answer in USD. Absent if the price is unknown.'),
}) satisfies z.ZodType<Usage>;
