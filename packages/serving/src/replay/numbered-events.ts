const end = '\n\n';

/** Numbers events with ids, from which a client can resume. */
export async function* numberedEvents(events: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const event of events) {
    count += 1;
    yield Buffer.concat([Buffer.from(`id: ${count}\n`), event]);
  }
}

/** Returns a reader of stored pieces, which returns the events after the given id. A piece may end within an event. */
export function eventsAfter(last: number): (piece: Buffer) => Buffer[] {
  let rest: Buffer | undefined;
  return (piece) => {
    const bytes = rest === undefined ? piece : Buffer.concat([rest, piece]);
    const events: Buffer[] = [];
    let from = 0;
    for (let at = bytes.indexOf(end); at >= 0; at = bytes.indexOf(end, from)) {
      events.push(bytes.subarray(from, at + end.length));
      from = at + end.length;
    }
    rest = from < bytes.length ? bytes.subarray(from) : undefined;
    return events.filter((event) => idOf(event) > last);
  };
}

const idOf = (event: Buffer): number => Number(event.toString('latin1', 'id: '.length, event.indexOf('\n')));
