import type { UpstreamHeaders } from '../http/call.ts';

/** The headers in the form that `Response` accepts. */
export const webHeaders = (headers: UpstreamHeaders): Headers =>
  new Headers(Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((text) => [name, text])));
