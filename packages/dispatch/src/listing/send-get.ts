import type { Network } from '../credentials/network.ts';
import { requestTo, sendFree } from '../targets/request-to.ts';
import type { Target } from '../targets/targets.ts';

interface FreeRequest {
  /** Follows the base URL. */
  path: string;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Reads something that costs nothing, with the credentials of a target. */
export const sendGet = (
  target: Target,
  { path, headers }: FreeRequest,
  network: Network,
): Promise<{ status: number; text: string }> => {
  const asked = { method: 'GET' as const, path, headers: { accept: 'application/json', ...headers }, body: '' };
  return sendFree(target, requestTo(target, asked), network);
};
