import { type PublicFetch, UpstreamFailure } from '@tallyport/outbound';
import { type AnswerCount, ServerMisuse } from './answer-bounds.ts';
import { gatedAnswer } from './gated-answer.ts';
import type { MessageGate } from './message-gate.ts';

/** Notices what the MCP library leaves to a timeout: responses that break off or never come. */
export interface RequestWatch {
  fetch: PublicFetch;
  /** Aborts when the operation can no longer end by itself. */
  signal: AbortSignal;
  stop(): void;
}

interface WatchOptions {
  openFetch(onEnd: (failure?: unknown) => void): PublicFetch;
  count: Pick<AnswerCount, 'request'>;
  gate: MessageGate;
  /** The largest response. */
  maxBytes: number;
}

/** A server may close a stream and offer it again; the library waits this long at most before it asks. */
const idleMs = 5_000;

/**
 * The streams that servers offer for notifications are not opened: between operations there is no connection, and the
 * list of tools is refreshed anyway.
 */
export function watchRequests({ openFetch, count, gate, maxBytes }: WatchOptions): RequestWatch {
  const broken = new AbortController();
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function began(): void {
    clearTimeout(timer);
    running += 1;
  }

  function ended(failure?: unknown): void {
    running -= 1;
    if (isFinal(failure)) broken.abort(failure);
    if (running > 0 || stopped) return;
    timer = setTimeout(() => broken.abort(new UpstreamFailure('cut', 'ended its answer without a result')), idleMs);
  }

  function counted(): void {
    try {
      count.request();
    } catch (thrown) {
      broken.abort(thrown);
      throw thrown;
    }
  }

  const fetch = openFetch(ended);
  return {
    signal: broken.signal,
    async fetch(url, init) {
      if (init?.method === 'GET' && !new Headers(init.headers).has('last-event-id')) return notOffered();
      counted();
      began();
      return gatedAnswer(await fetch(url, init), { gate, maxBytes, began, ended });
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const notOffered = (): Response => new Response(null, { status: 405 });

const isFinal = (failure: unknown): boolean =>
  failure instanceof ServerMisuse || (failure instanceof UpstreamFailure && failure.kind !== 'left');
