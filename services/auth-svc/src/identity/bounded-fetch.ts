import { isThisMachine } from './document/issuer.ts';

/** The server of an identity provider does not answer, or not in time. Trying again may help. */
export class ProviderAway extends Error {
  constructor(host: string, cause?: unknown) {
    super(`${host} does not answer`, { cause });
    this.name = 'ProviderAway';
  }
}

/** A response of an identity provider cannot be used. */
export class ResponseFault extends Error {}

export const fetchDeadlineMs = 5_000;
const maxBytes = 512 * 1024;

interface FetchOptions {
  method?: string;
  headers?: Headers | Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/**
 * A `fetch` for addresses that the operator configured or that such a server published: https or this machine, with a
 * deadline and a largest size, without following redirects. Throws ProviderAway if the server does not answer.
 */
export async function boundedFetch(address: string, options: FetchOptions = {}): Promise<Response> {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !isThisMachine(url))
    throw new ResponseFault(`${url.origin} is not an https address`);
  const signal = AbortSignal.any([AbortSignal.timeout(fetchDeadlineMs), ...(options.signal ? [options.signal] : [])]);
  const init = { ...options, redirect: 'manual', signal } as RequestInit;
  try {
    const response = await fetch(url, init);
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel();
      throw new ProviderAway(url.host, new Error(`status ${response.status}`));
    }
    return new Response(await readWithin(response), { status: response.status, headers: response.headers });
  } catch (error) {
    if (error instanceof ProviderAway || error instanceof ResponseFault) throw error;
    throw new ProviderAway(url.host, error);
  }
}

async function readWithin({ body, status }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null || status === 204) return null;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new ResponseFault(`a response has more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

export const isProviderAway = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof ProviderAway);

/** Whether a library or we found fault with a response. The library's errors have a code. */
export const isResponseFault = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof ResponseFault || codeOf(cause).startsWith('OAUTH_'));

/** What is wrong, for the operator. Only messages, because the causes contain tokens and claims. */
export const providerProblem = (error: unknown): string =>
  causesOf(error)
    .slice(0, 3)
    .map(({ message }) => message.slice(0, 200))
    .join(': ');

/** The error and its causes: libraries wrap the errors of `fetch`. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 8; cause = cause.cause) causes.push(cause);
  return causes;
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');
