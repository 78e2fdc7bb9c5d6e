import { z } from 'zod';

/** The usage of an answer without generated tokens. */
export const promptUsageSchema = z.looseObject({
  prompt_tokens: z.int(),
  total_tokens: z.int(),
  cost: z.number().optional(),
});
