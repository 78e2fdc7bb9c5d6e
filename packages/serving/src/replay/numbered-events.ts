const end = '\n\n';

/** Numbers events with ids, from which a client can resume. */
export async function* numberedEvents(events: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const event of events) {
    count += 1;
    yield Buffer.concat([Buffer.from(`id: ${count}\n`), event]);
  }
}

/** Returns the stored events after the given id. */
export const eventsAfter = (bytes: Uint8Array, last: number): Buffer[] =>
  cut(bytes).filter((event) => idOf(event) > last);

const idOf = (event: Buffer): number => Number(event.toString('latin1', 'id: '.length, event.indexOf('\n')));

function cut(bytes: Uint8Array): Buffer[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const events: Buffer[] = [];
  let from = 0;
  for (let at = buffer.indexOf(end); at >= 0; at = buffer.indexOf(end, from)) {
    events.push(buffer.subarray(from, at + end.length));
    from = at + end.length;
  }
  return events;
}
