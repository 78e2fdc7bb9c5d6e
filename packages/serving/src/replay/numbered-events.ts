const end = '\n\n';

/** Numbers events with ids, from which a client can resume. Comments are dropped, because they matter only live. */
export function eventNumbering(): (bytes: Uint8Array) => Buffer[] {
  let count = 0;
  return (bytes) =>
    cut(bytes).flatMap((event) => {
      if (event[0] === comment) return [];
      count += 1;
      return [Buffer.concat([Buffer.from(`id: ${count}\n`), event])];
    });
}

const comment = ':'.charCodeAt(0);

/** Returns the numbered events after the given id. */
export const eventsAfter = (bytes: Uint8Array, last: number): Buffer[] =>
  cut(bytes).filter((event) => idOf(event) > last);

const idOf = (event: Buffer): number => Number(event.toString('latin1', 'id: '.length, event.indexOf('\n')));

export const isLastEvent = (event: Buffer | undefined): boolean => event?.includes('\ndata: [DONE]') === true;

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
