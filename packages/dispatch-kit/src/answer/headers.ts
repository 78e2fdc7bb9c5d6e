import { type Served, servedModel } from './served.ts';

export interface Timing {
  planMs: number;
  upstreamMs: number;
  attempts: number;
}

/** What every answer that a provider gave says of its way. */
export const servedHeaders = (served: Served, { planMs, upstreamMs, attempts }: Timing): Record<string, string> => ({
  'x-switchyard-provider': served.offer.providerId,
  'x-switchyard-model': servedModel(served),
  'x-switchyard-attempts': String(attempts),
  'x-switchyard-cache': 'BYPASS',
  'server-timing': `plan;dur=${planMs.toFixed(1)}, upstream;dur=${upstreamMs.toFixed(1)}`,
});
