import type { IncomingHttpHeaders } from 'node:http';
import type { Metered } from './model/metered.ts';

/**
 * `open`: in progress · `answered`: complete · `broken`: cut by a fault or our shutdown · `aborted`: the client
 * disconnected.
 */
type ReceivedOutcome = 'open' | 'answered' | 'broken' | 'aborted';

/** A received request and its outcome. Times are milliseconds of the wall clock. */
export interface Received {
  readonly id: string;
  readonly provider: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly receivedAt: number;
  /** The text up to the recording limit; `bodyBytes` is the whole size. */
  body: string;
  /** What `labelOf` finds in the whole body. */
  label?: string | undefined;
  bodyBytes: number;
  model?: string | undefined;
  fault?: string | undefined;
  /** Images made for the request. They count even if the client disconnected, because a vendor would bill them. */
  images?: number;
  /** What a vendor would bill for the complete answer. */
  metered?: Metered | undefined;
  /** The pieces with content: all of the answer's, and those that were sent. */
  contentPieces?: { readonly all: number; sent: number };
  status?: number;
  bodyBytesSent: number;
  outcome: ReceivedOutcome;
  endedAt?: number;
}

type Arrival = Pick<Received, 'provider' | 'method' | 'path' | 'headers'>;

type Counts = Record<ReceivedOutcome, number> & { total: number; images: number };

/** Keeps the newest requests, limited by number and body size, and notifies listeners of every change. */
export interface Recorder {
  readonly requests: readonly Received[];
  /** Counts since the start, including removed requests. */
  readonly counts: Readonly<Counts>;
  begin(arrival: Arrival): Received;
  body(received: Received, bytes: Buffer): void;
  images(received: Received, count: number): void;
  end(received: Received, outcome: Exclude<ReceivedOutcome, 'open'>): void;
  clear(): void;
  /** Notifies listeners of a change outside of the requests. */
  touch(): void;
  onChange(listener: () => void): () => void;
}

interface RecorderLimits {
  requests: number;
  bodyBytes: number;
  totalBodyBytes: number;
}

interface RecorderOptions {
  limits: RecorderLimits;
  labelOf: ((body: string) => string | undefined) | undefined;
  onEnded: ((received: Received) => void) | undefined;
}

export function createRecorder({ limits, labelOf, onEnded }: RecorderOptions): Recorder {
  let requests: Received[] = [];
  const counts: Counts = { total: 0, images: 0, open: 0, answered: 0, broken: 0, aborted: 0 };
  let heldBytes = 0;
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const overfull = () =>
    requests.length > limits.requests || (heldBytes > limits.totalBodyBytes && requests.length > 1);
  const trim = () => {
    while (overfull()) heldBytes -= Buffer.byteLength(requests.shift()?.body ?? '');
  };

  return {
    get requests() {
      return requests;
    },
    counts,
    begin: (arrival) => {
      counts.total += 1;
      counts.open += 1;
      const received = newReceived(arrival, counts.total);
      requests.push(received);
      trim();
      changed();
      return received;
    },
    body: (received, bytes) => {
      received.body = bytes.toString('utf8', 0, limits.bodyBytes);
      received.label = labelOf?.(bytes.toString());
      received.bodyBytes = bytes.length;
      heldBytes += Buffer.byteLength(received.body);
      trim();
      changed();
    },
    images: (received, count) => {
      received.images = count;
      counts.images += count;
    },
    end: (received, outcome) => {
      if (received.outcome !== 'open') return;
      counts.open -= 1;
      counts[outcome] += 1;
      received.outcome = outcome;
      received.endedAt = Date.now();
      onEnded?.(received);
      changed();
    },
    clear: () => {
      requests = [];
      heldBytes = 0;
    },
    touch: changed,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function newReceived(arrival: Arrival, number: number): Received {
  return {
    id: `req_sim${String(number).padStart(10, '0')}`,
    ...arrival,
    receivedAt: Date.now(),
    body: '',
    bodyBytes: 0,
    bodyBytesSent: 0,
    outcome: 'open',
  };
}
