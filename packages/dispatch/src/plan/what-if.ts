import type { Standing } from '../standing/standings.ts';

/** What an explanation assumes about a provider instead of what is known. No request is routed by it. */
export interface WhatIf {
  /** From 0 to 1, as if well known, with no breaker open, no pause and no earlier failure. */
  uptime?: number;
  /** How many times its price. */
  price?: number;
  /** How many times as slow: the time to the first content, and the time per token. */
  slowness?: number;
}

/** By the id of the provider. */
export type WhatIfs = ReadonlyMap<string, WhatIf>;

/** The standing of an offer whose provider has this uptime. */
export const assumedStanding = (standing: Standing, { uptime }: WhatIf): Standing =>
  uptime === undefined
    ? standing
    : {
        ...standing,
        uptime: { ...standing.uptime, ratio: uptime, expected: uptime, lower: uptime, upper: uptime },
        breaker: 'closed',
        cooldownMs: 0,
        recovery: undefined,
      };
