import type { ServiceTier, Usage } from '@tallyport/wire';
import type { MessagesDeltaUsage, MessagesUsage } from './answer-types.ts';

/** This API counts what was read from a cache and written to it apart from the rest of the prompt. */
export function toDeltaUsage(usage: Usage | undefined): MessagesDeltaUsage {
  if (usage === undefined) return noUsage;
  const { cached_tokens: read = 0, cache_write_tokens: written = 0 } = usage.prompt_tokens_details ?? {};
  const thought = usage.completion_tokens_details?.reasoning_tokens;
  return {
    input_tokens: Math.max(usage.prompt_tokens - read - written, 0),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: usage.completion_tokens,
    output_tokens_details: thought === undefined ? null : { thinking_tokens: thought },
    server_tool_use: null,
  };
}

const noUsage: MessagesDeltaUsage = {
  input_tokens: null,
  cache_creation_input_tokens: null,
  cache_read_input_tokens: null,
  output_tokens: 0,
  output_tokens_details: null,
  server_tool_use: null,
};

export function toMessagesUsage(usage: Usage | undefined, tier: ServiceTier | null | undefined): MessagesUsage {
  const counted = toDeltaUsage(usage);
  return {
    ...counted,
    input_tokens: counted.input_tokens ?? 0,
    cache_creation: null,
    service_tier: tierOf(tier),
    inference_geo: null,
    speed: null,
  };
}

function tierOf(tier: ServiceTier | null | undefined): MessagesUsage['service_tier'] {
  if (tier === 'default') return 'standard';
  return tier === 'priority' ? 'priority' : null;
}
