import type { ErrorCode, GatewayError } from '@switchyard/contracts';
import type { ChatOutcome } from '@switchyard/dispatch';
import type { Entry } from './entry.ts';
import type { Flight } from './flight.ts';
import { type ByteSource, tapped } from './tapped.ts';

/** How an answer that is made now is taken down for those who want the same. */
export interface Taking {
  /** In the place of the request's own: an answer that others wait for goes on without who asked first. */
  readonly signal: AbortSignal;
  /** A whole answer, before it leaves. */
  whole(provider: string, slices: readonly Buffer[]): void;
  /** The same stream, taken down while it is read, and read to its end when others want it. */
  stream(shared: SharedStream): ByteSource;
  failed(error: GatewayError): void;
  /** Something of it is missing: good enough for who asked, and for nobody else. */
  incomplete(): void;
}

export interface SharedStream {
  provider: string;
  source: ByteSource;
  /** What the stream came to; known before its end is read. */
  ending(): Pick<ChatOutcome, 'skippedFrames' | 'usage'> | undefined;
}

export interface TakingNeeds {
  flight: Flight;
  maxBytes: number;
  room: Room;
  /** It came out well and is not too large. */
  keep(entry: Entry): void;
}

/** Memory for streams that are being taken down, of all of them together. */
export interface Room {
  held: number;
  readonly limit: number;
}

/** While others read along, a stream that is too large to be kept is taken down all the same: up to so many times that. */
const muchTooLarge = 16;

export function takeDown({ flight, maxBytes, room, keep }: TakingNeeds): Taking {
  const landWith = (entry: Entry): void => {
    flight.land({ kind: 'answer', entry });
    if (entry.body.length <= maxBytes) keep(entry);
  };
  return {
    signal: flight.signal,
    whole(provider, slices) {
      const length = slices.reduce((sum, slice) => sum + slice.length, 0);
      if (length > maxBytes && !flight.followed) return flight.land({ kind: 'alone' });
      landWith({ form: 'document', provider, body: joined(slices) });
    },
    stream({ provider, source, ending }) {
      flight.beginStream(provider);
      const log = loggedIn(room, flight, maxBytes);
      return tapped(source, {
        onEvents: log.push,
        onEnd() {
          log.close();
          // Events that were left out are missing for good.
          const ended = ending();
          if (log.full() || ended?.skippedFrames !== 0) return flight.land({ kind: 'alone' });
          landWith({ form: 'events', provider, usage: ended.usage, body: flight.log.bytes() });
        },
        onBroken() {
          log.close();
          // Who reads along has half of it. Who has not begun may be luckier.
          flight.land({ kind: 'alone' });
        },
        wanted: () => flight.followed,
      });
    },
    incomplete: () => flight.land({ kind: 'alone' }),
    failed: (error) => flight.land(isForAll(error) ? { kind: 'failed', error } : { kind: 'alone' }),
  };
}

/** Where it is in one piece already, that piece. */
const joined = (slices: readonly Buffer[]): Buffer =>
  slices.length === 1 && slices[0] ? slices[0] : Buffer.concat(slices);

interface Logging {
  push(events: Uint8Array): void;
  /** It has become more than may be kept of it. */
  full(): boolean;
  close(): void;
}

function loggedIn(room: Room, flight: Flight, maxBytes: number): Logging {
  let held = 0;
  let state: 'open' | 'full' | 'closed' = 'open';
  const giveUp = (as: 'full' | 'closed'): void => {
    if (state === 'open') state = as;
    room.held -= held;
    held = 0;
  };
  return {
    push(events) {
      if (state !== 'open') return;
      flight.push(events);
      room.held += flight.log.size - held;
      held = flight.log.size;
      const most = flight.followed ? maxBytes * muchTooLarge : maxBytes;
      if (held <= most && room.held <= room.limit) return;
      giveUp('full');
      flight.log.clear();
      flight.land({ kind: 'alone' });
    },
    full: () => state === 'full',
    close: () => giveUp('closed'),
  };
}

/** Errors that are about the caller or the gateway, not about the request. */
const personal: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'budget_exceeded',
  'client_closed_request',
  'deadline_exceeded',
  'rate_limit_exceeded',
]);

/** The providers' word is the same for all: asking them again, all at once, is what they need least. */
const isForAll = ({ code, domain }: GatewayError): boolean => domain !== 'gateway' && !personal.has(code);
