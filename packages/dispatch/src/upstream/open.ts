import type { Pools } from './pools.ts';
import { UpstreamCall } from './call.ts';

export interface WireRequest {
  origin: string;
  path: string;
  method: 'POST' | 'GET';
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** Puts a request on a kept connection and returns at once; `maxBytes` bounds what is read of the answer. */
export function openUpstream(pools: Pools, request: WireRequest, maxBytes: number): UpstreamCall {
  const call = new UpstreamCall(maxBytes);
  const { origin, path, method, headers, body } = request;
  pools.get(origin).dispatch({ path, method, headers, body }, call);
  return call;
}
