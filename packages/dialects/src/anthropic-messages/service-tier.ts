import type { PlainObject } from '../plain-object.ts';

/** The service tier that a request asks, in OpenAI's words. Fast mode is a member of its own in this API. */
export function tierOfMessages({ speed, service_tier: tier }: PlainObject): string | undefined {
  if (speed === 'fast') return 'fast';
  if (tier === 'auto') return 'auto';
  return tier === 'standard_only' ? 'default' : undefined;
}
