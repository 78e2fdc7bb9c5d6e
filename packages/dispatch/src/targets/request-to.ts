import type { Offer } from '@tallyport/contracts';
import type { UpstreamRequest } from '@tallyport/providers';
import type { WireRequest } from '@tallyport/outbound';
import type { Network } from '../credentials/network.ts';
import type { Target } from './targets.ts';

/** What an adapter asks for; the body may be in several parts. */
export type OwnRequest = Omit<UpstreamRequest, 'body'> & Pick<WireRequest, 'body'>;

/** A request at the address of a target. Without an offer, its path is the same at every address. */
export function requestTo(
  target: Target,
  { method, path, headers, body, aboveVersion }: OwnRequest,
  offer?: Offer,
): WireRequest {
  const own = offer && target.path?.(path, offer);
  const prefix = aboveVersion ? target.pathPrefix.replace(version, '') : target.pathPrefix;
  return {
    origin: target.origin,
    path: prefix + (own ?? path),
    method,
    headers: { 'accept-encoding': 'identity', 'user-agent': 'tallyport', ...headers, ...target.headers },
    body,
  };
}

const version = /\/v\d[a-z0-9]*$/;

/** Sends a request that costs nothing, with the credentials of the target. */
export async function sendFree(
  target: Pick<Target, 'authorize'>,
  request: WireRequest,
  network: Network,
): Promise<{ status: number; text: string }> {
  const added = await target.authorize?.(request, network);
  return network.send({ ...request, headers: { ...request.headers, ...added } });
}
