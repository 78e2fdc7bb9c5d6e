import type { Usage } from '@tallyport/wire';

/** The usage of a call that has only a prompt. */
export const promptUsage = (tokens: number): Usage => ({
  prompt_tokens: tokens,
  completion_tokens: 0,
  total_tokens: tokens,
});
