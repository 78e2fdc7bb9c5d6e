import type { Usage } from '@tallyport/wire';
import type { ResponsesUsage } from './output-types.ts';

/** Every detail is a number: clients fail to parse a usage that lacks one. */
export function responsesUsage(usage: Usage): ResponsesUsage {
  const { prompt_tokens_details: prompt, completion_tokens_details: completion, cost } = usage;
  return {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: {
      cached_tokens: prompt?.cached_tokens ?? 0,
      cache_write_tokens: prompt?.cache_write_tokens ?? 0,
    },
    output_tokens: usage.completion_tokens,
    output_tokens_details: { reasoning_tokens: completion?.reasoning_tokens ?? 0 },
    total_tokens: usage.total_tokens,
    ...(cost !== undefined && { cost }),
  };
}
