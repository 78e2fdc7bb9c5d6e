import type { RoutingSettings } from '../settings.ts';
import type { Standing } from '../standing/standings.ts';

/** What an explanation assumes about a provider instead of what is known. No request is routed by it. */
export interface WhatIf {
  /** From 0 to 1, with enough results to be trusted, no breaker open and no pause. */
  uptime?: number;
  /** How many times its price. */
  price?: number;
  /** How many times as slow: the time to the first content, and the time per token. */
  slowness?: number;
}

/** By the id of the provider. */
export type WhatIfs = ReadonlyMap<string, WhatIf>;

/** The standing of an offer whose provider has this uptime. */
export function assumedStanding(
  standing: Standing,
  { uptime }: WhatIf,
  { probationSamples }: Pick<RoutingSettings, 'probationSamples'>,
): Standing {
  if (uptime === undefined) return standing;
  const samples = Math.max(standing.uptime.samples, probationSamples);
  return {
    ...standing,
    uptime: { ratio: uptime, lower: uptime, upper: uptime, samples },
    breaker: 'closed',
    cooldownMs: 0,
  };
}
