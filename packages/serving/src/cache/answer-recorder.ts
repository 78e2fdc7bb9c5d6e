import type { ErrorCode, GatewayError } from '@tallyport/contracts';
import type { ChatOutcome } from '@tallyport/dispatch';
import { type AnswerEvent, joinPieces, totalBytes } from '@tallyport/wire';
import type { StreamSource } from '../stream/stream-body.ts';
import type { Entry } from './entry.ts';
import type { Flight } from './flight.ts';
import { tapSource } from './tap-source.ts';

/** Records an answer while a provider makes it, for equal requests. */
export interface AnswerRecorder {
  /** Replaces the request's own signal: an answer that others wait for continues when the first caller leaves. */
  readonly signal: AbortSignal;
  /** Records a whole answer before it is sent. */
  whole(provider: string, slices: readonly Buffer[]): void;
  /** Returns the same stream. It is recorded while it is read, and read to its end while other requests follow it. */
  stream(shared: SharedStream): StreamSource;
  failed(error: GatewayError): void;
  /** Part of the answer is missing: only the first caller gets it. */
  incomplete(): void;
}

interface SharedStream {
  provider: string;
  source: StreamSource;
  /** The outcome of the stream; known before its end is read. */
  ending(): Pick<ChatOutcome, 'skippedFrames' | 'usage'> | undefined;
}

interface AnswerRecorderOptions {
  flight: Flight;
  maxBytes: number;
  memory: RecordingMemory;
  /** Called for a complete answer that is not too large. */
  keep(entry: Entry): void;
}

/** The memory of all streams being recorded. */
export interface RecordingMemory {
  held: number;
  readonly limit: number;
}

/** A stream that others follow is recorded up to this many times the size that may be stored. */
const followedFactor = 16;

export function createAnswerRecorder({ flight, maxBytes, memory, keep }: AnswerRecorderOptions): AnswerRecorder {
  const landWith = (entry: Entry): void => {
    flight.land({ kind: 'answer', entry });
    if (entry.body.length <= maxBytes) keep(entry);
  };
  return {
    signal: flight.signal,
    whole(provider, slices) {
      const length = totalBytes(slices);
      if (length > maxBytes && !flight.followed) return flight.land({ kind: 'alone' });
      landWith({ form: 'document', provider, body: joinPieces(slices) });
    },
    stream({ provider, source, ending }) {
      flight.beginStream(provider);
      const log = boundedLog(memory, flight, maxBytes);
      return tapSource(source, {
        onEvents: log.push,
        onEnd() {
          log.close();
          // Skipped events cannot be recovered, so such a stream is not shared.
          const ended = ending();
          if (log.full() || ended?.skippedFrames !== 0) return flight.land({ kind: 'alone' });
          landWith({ form: 'events', provider, usage: ended.usage, body: flight.log.bytes() });
        },
        onBroken() {
          log.close();
          // Followers have read half of it; a request that has read nothing calls providers itself.
          flight.land({ kind: 'alone' });
        },
        wanted: () => flight.followed,
      });
    },
    incomplete: () => flight.land({ kind: 'alone' }),
    failed: (error) => flight.land(isForAll(error) ? { kind: 'failed', error } : { kind: 'alone' }),
  };
}

interface BoundedLog {
  push(events: readonly AnswerEvent[]): void;
  /** The stream has become larger than may be recorded. */
  full(): boolean;
  close(): void;
}

function boundedLog(memory: RecordingMemory, flight: Flight, maxBytes: number): BoundedLog {
  let held = 0;
  let state: 'open' | 'full' | 'closed' = 'open';
  const giveUp = (as: 'full' | 'closed'): void => {
    if (state === 'open') state = as;
    memory.held -= held;
    held = 0;
  };
  return {
    push(events) {
      if (state !== 'open') return;
      flight.push(events);
      memory.held += flight.log.size - held;
      held = flight.log.size;
      const most = flight.followed ? maxBytes * followedFactor : maxBytes;
      if (held <= most && memory.held <= memory.limit) return;
      giveUp('full');
      flight.log.clear();
      flight.land({ kind: 'alone' });
    },
    full: () => state === 'full',
    close: () => giveUp('closed'),
  };
}

/** Errors about the caller or the gateway, which other requests do not share. */
const personal: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'budget_exceeded',
  'client_closed_request',
  'deadline_exceeded',
  'rate_limit_exceeded',
]);

/** Provider errors are shared, so that many equal requests are not all sent again at once. */
const isForAll = ({ code, domain }: GatewayError): boolean => domain !== 'gateway' && !personal.has(code);
