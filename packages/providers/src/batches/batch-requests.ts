import type { SlicedRequest, UpstreamRequest } from '../spec/upstream-request.ts';

type Headers = Readonly<Record<string, string>>;

export const getting = (path: string, headers: Headers = {}): UpstreamRequest => ({
  method: 'GET',
  path,
  headers: { accept: 'application/json', ...headers },
  body: '',
});

export const posting = (path: string, body: readonly Uint8Array[], headers: Headers = {}): SlicedRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
  body,
});
