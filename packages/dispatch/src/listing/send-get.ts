import type { WireRequest } from '@tallyport/outbound';
import type { Network } from '../credentials/network.ts';
import type { Target } from '../targets/targets.ts';

export interface FreeRequest {
  /** Follows the base URL. */
  path: string;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Reads something that costs nothing, with the credentials of a target. */
export async function sendGet(
  { origin, pathPrefix, headers: own, authorize }: Target,
  { path, headers }: FreeRequest,
  network: Network,
): Promise<{ status: number; text: string }> {
  const request: WireRequest = {
    origin,
    path: pathPrefix + path,
    method: 'GET',
    headers: { accept: 'application/json', ...headers, ...own },
    body: '',
  };
  const added = await authorize?.(request, network);
  return network.send({ ...request, headers: { ...request.headers, ...added } });
}
