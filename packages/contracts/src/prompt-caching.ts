import { z } from 'zod';

/** `auto`: prompts are marked for the caches of vendors that cache only what is marked. */
export const promptCachingSchema = z.enum(['off', 'auto']);

export type PromptCaching = z.infer<typeof promptCachingSchema>;
