import { relayedHeaders, type RequestHead, routeHeaderPrefix } from '@tallyport/contracts';

/** What the client of a batch receives, or sends again, is not what the clients of its lines do. */
const ofRequestOnly: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
]);

/** The headers of the request for a batch that count for each of its lines. */
export function lineHeadersOf({ headers }: Pick<RequestHead, 'headers'>): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) =>
      name.startsWith(routeHeaderPrefix) || (relayedHeaders.some((each) => each === name) && !ofRequestOnly.has(name)),
  );
  return { ...Object.fromEntries(kept), 'content-type': 'application/json' };
}
