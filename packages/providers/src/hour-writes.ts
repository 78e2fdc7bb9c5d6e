import type { Usage } from '@tallyport/wire';

type PromptDetails = NonNullable<Usage['prompt_tokens_details']>;

/** What was written to the cache by how long it is kept, where a part of it is kept for an hour. */
export const hourWrites = (written: number, hour: number): Pick<PromptDetails, 'cache_write_tokens_details'> =>
  hour > 0 ? { cache_write_tokens_details: { ttl_5m_tokens: written - hour, ttl_1h_tokens: hour } } : {};
