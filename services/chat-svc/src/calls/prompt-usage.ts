import type { Usage } from '@tallyport/wire';

/** The usage of a call without a generated answer, as clients get it. */
export const promptUsageOf = ({ prompt_tokens, total_tokens, cost }: Usage) => ({
  prompt_tokens,
  total_tokens,
  ...(cost !== undefined && { cost }),
});
