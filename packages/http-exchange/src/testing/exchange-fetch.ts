import type { ExchangeRequest, ExchangeResponse } from '@tallyport/bus';
import type { RequestHead } from '@tallyport/contracts';

interface ExchangeFetchOptions extends Partial<Omit<RequestHead, 'http'>> {
  method?: string;
  body?: Uint8Array | string;
  signal?: AbortSignal;
  address?: string;
}

/** Sends an HTTP request in an exchange. `path` may have a query. */
export type ExchangeFetch = (path: string, options?: ExchangeFetchOptions) => Promise<Response>;

const withoutBody: ReadonlySet<number> = new Set([204, 304]);

/** `fetch` for a service behind an exchange, as edge asks it for `publicOrigin`. */
export function exchangeFetch(
  open: (request: ExchangeRequest) => Promise<ExchangeResponse>,
  publicOrigin = 'https://gateway.example',
): ExchangeFetch {
  return async (url, { method = 'GET', body = '', signal, address = '192.0.2.1', headers = {}, ...head } = {}) => {
    const bytes = Buffer.from(body);
    const http = { method, url, address, publicOrigin };
    const answer = await open({
      head: {
        requestId: 'req_1',
        timeoutMs: 30_000,
        ...head,
        http,
        headers: { ...(bytes.length > 0 && lengthOf(bytes)), ...headers },
      },
      body: bytes,
      ...(signal && { signal }),
    });
    return responseOf(answer);
  };
}

const lengthOf = (bytes: Uint8Array) => ({ 'content-length': String(bytes.length) });

function responseOf({ head: { status, headers, setCookie = [] }, body }: ExchangeResponse): Response {
  const received = new Headers(headers);
  for (const cookie of setCookie) received.append('set-cookie', cookie);
  return new Response(withoutBody.has(status) ? null : ReadableStream.from(body), { status, headers: received });
}
