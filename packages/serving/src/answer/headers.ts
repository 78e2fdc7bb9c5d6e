import { type ServedRequest, servedModel } from './served-request.ts';

interface Timing {
  planMs: number;
  upstreamMs: number;
  attempts: number;
}

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

/** The headers of every answer that describe how it was made. */
export const servedHeaders = (
  served: Pick<ServedRequest, 'plan' | 'offer'>,
  { planMs, upstreamMs, attempts }: Timing,
): Record<string, string> => ({
  'x-tallyport-provider': served.offer.providerId,
  'x-tallyport-model': servedModel(served),
  'x-tallyport-attempts': String(attempts),
  'x-tallyport-cache': 'BYPASS',
  'server-timing': `plan;dur=${planMs.toFixed(1)}, upstream;dur=${upstreamMs.toFixed(1)}`,
});
