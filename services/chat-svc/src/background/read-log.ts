import { isSealed, type LogEnd, type LoggedEvent, logPiece, type LogStore } from './run-log.ts';

/** Reads a log from its beginning, piece by piece. */
interface LogReader {
  /** The events that were added since the last call; `unknown` while the store is unavailable. */
  more(): Promise<LoggedEvent[] | 'unknown'>;
  /** Where a writer goes on, once `more` has returned nothing. `undefined` if it ends within an event. */
  end(): LogEnd | undefined;
}

export function readLog(store: Pick<LogStore, 'find'>, name: string): LogReader {
  let [events, bytes, piece, seen] = [0, 0, 0, 0];
  let last: Buffer = Buffer.alloc(0);
  let rest: Buffer = Buffer.alloc(0);

  /** The complete lines of what was added to the piece. */
  function linesOf(found: Buffer): LoggedEvent[] {
    const added = Buffer.concat([rest, found.subarray(seen)]);
    bytes += found.length - seen;
    seen = found.length;
    last = found;
    const complete = added.lastIndexOf('\n') + 1;
    rest = added.subarray(complete);
    const lines = added.subarray(0, complete).toString().split('\n').slice(0, -1);
    events += lines.length;
    return lines.map(eventOf);
  }

  return {
    async more() {
      for (;;) {
        const found = await store.find(logPiece(name, piece));
        if (found === 'unknown') return 'unknown';
        if (found === 'none') return [];
        const read = linesOf(Buffer.from(found.buffer, found.byteOffset, found.byteLength));
        if (isSealed(seen)) {
          piece += 1;
          seen = 0;
          last = Buffer.alloc(0);
        } else if (read.length === 0) return [];
        if (read.length > 0) return read;
      }
    },
    end: () => (rest.length === 0 ? { events, bytes, piece, last } : undefined),
  };
}

function eventOf(line: string): LoggedEvent {
  const space = line.indexOf(' ');
  return { type: line.slice(0, space), json: line.slice(space + 1) };
}
