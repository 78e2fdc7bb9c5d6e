import { checkUrl, type UrlRules } from '../address/check-url.ts';
import { UpstreamFailure } from '../http/upstream-failure.ts';
import { type BodyReader, decodedBody } from '../http/decode.ts';
import type { PublicAgent } from './public-agent.ts';
import { webHeaders } from './web-headers.ts';

/** `fetch` for libraries that stream responses. Redirects are returned, never followed. */
export type PublicFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface PublicFetchOptions extends UrlRules {
  agent: Pick<PublicAgent, 'send'>;
  /** The largest body of one response. */
  maxBytes: number;
  /** Called when the body of a response has ended, with the failure that ended it. */
  onEnd?: (failure?: unknown) => void;
}

/**
 * Rejects with UrlRefusal for a URL that clients may not reach, with UpstreamFailure, or with the signal's reason. The
 * signal ends the body too.
 */
export function createPublicFetch({ agent, maxBytes, onEnd, ...rules }: PublicFetchOptions): PublicFetch {
  return async (input, init) => {
    const url = checkUrl(String(input), rules);
    const request = new Request(url, init);
    const { method, signal } = request;
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    signal.throwIfAborted();
    const headers = { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' };
    const call = agent.send(url, { method, headers, body, maxBytes });
    const leave = (): void => call.abort(left());
    signal.addEventListener('abort', leave, { once: true });
    const settle = (failure?: unknown): void => {
      signal.removeEventListener('abort', leave);
      onEnd?.(failure);
    };
    try {
      const head = await call.head();
      const response = { status: head.status, headers: webHeaders(head.headers) };
      if (isEmpty(head.status)) {
        call.discardRest(emptyBodyMs);
        settle();
        return new Response(null, response);
      }
      return new Response(streamOf(decodedBody(call, head.headers, maxBytes), { leave, settle }), response);
    } catch (thrown) {
      leave();
      settle(thrown);
      signal.throwIfAborted();
      throw thrown;
    }
  };
}

const emptyBodyMs = 1_000;

const isEmpty = (status: number): boolean => status === 204 || status === 205 || status === 304;

const left = (): UpstreamFailure => new UpstreamFailure('left', 'was left');

interface StreamEnd {
  /** Closes the connection. */
  leave(): void;
  /** Called once at the end of the body. */
  settle(failure?: unknown): void;
}

function streamOf(reader: BodyReader, { leave, settle }: StreamEnd): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        if (await reader.ready()) {
          for (const chunk of reader.take()) controller.enqueue(new Uint8Array(chunk));
          return;
        }
        settle();
        controller.close();
      } catch (error) {
        settle(error);
        controller.error(error);
      }
    },
    cancel() {
      leave();
      settle();
    },
  });
}
