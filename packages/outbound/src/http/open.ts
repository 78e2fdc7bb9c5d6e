import { Readable } from 'node:stream';
import { totalBytes } from '@tallyport/wire';
import type { Pools } from './pools.ts';
import { UpstreamCall, type UpstreamCallOptions } from './call.ts';

export interface WireRequest {
  origin: string;
  path: string;
  method: 'POST' | 'GET';
  headers: Record<string, string>;
  /** Large bodies are in slices, which are never joined. */
  body: string | Uint8Array | readonly Uint8Array[];
}

/** Sends a request over a pooled connection and returns at once. */
export function openUpstream(pools: Pools, request: WireRequest, options: UpstreamCallOptions): UpstreamCall {
  const call = new UpstreamCall(options);
  const { origin, path, method, body } = request;
  const headers = headerList(request.headers);
  if (typeof body === 'string' || body instanceof Uint8Array) {
    pools.get(origin).dispatch({ path, method, headers, body: method === 'GET' ? null : body }, call);
  } else {
    headers.push('content-length', String(totalBytes(body)));
    pools.get(origin).dispatch({ path, method, headers, body: Readable.from(body) }, call);
  }
  return call;
}

/** Names and values in turn, the form that undici reads fastest. */
function headerList(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] ?? '');
  return list;
}
