import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
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

/**
 * Sends a request over a pooled connection and returns at once. If its connection ends before the server can have read
 * the request, it is sent again once, on a new connection.
 */
export function openUpstream(
  pools: Pools,
  request: WireRequest,
  options: Omit<UpstreamCallOptions, 'repeat'>,
): UpstreamCall {
  const pool = pools.get(request.origin);
  const repeat = (): void => pool.send(dispatchOptions(request), call, { isNew: true });
  const call: UpstreamCall = new UpstreamCall({ ...options, repeat });
  pool.send(dispatchOptions(request), call);
  return call;
}

function dispatchOptions({ path, method, body, headers: fields }: WireRequest): Dispatcher.DispatchOptions {
  const headers = headerList(fields);
  if (typeof body === 'string' || body instanceof Uint8Array) {
    return { path, method, headers, body: method === 'GET' ? null : body };
  }
  headers.push('content-length', String(totalBytes(body)));
  return { path, method, headers, body: Readable.from(body) };
}

/** Names and values in turn, the form that undici reads fastest. */
function headerList(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] ?? '');
  return list;
}
