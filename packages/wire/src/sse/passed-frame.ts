import type { Frame } from '../frame.ts';

/** Begins the name of every passed event. No vendor and no chunk of ours has such a name. */
const mark = 'passed:';

const lineFeed = '\n';
const lineFeedByte = 0x0a;

/**
 * One event of a vendor's stream that is passed on as it is, on its way to the service that speaks the client's API. The
 * mark distinguishes it from our own chunks, which may precede or follow it.
 */
export function encodePassedFrame({ event = '' }: Pick<Frame, 'event'>, data: Buffer): Buffer {
  const head = `event: ${mark}${event}\ndata: `;
  if (!data.includes(lineFeed)) return Buffer.concat([Buffer.from(head), data, eventEnd]);
  return Buffer.from(`${head}${data.toString('utf8').replaceAll(lineFeed, '\ndata: ')}\n\n`);
}

const eventEnd = Buffer.from('\n\n');

/** The event as the vendor named it; `undefined` if the frame is one of our own. */
export function passedEvent({ event }: Pick<Frame, 'event'>): { name: string | undefined } | undefined {
  if (event === undefined || !event.startsWith(mark)) return undefined;
  return { name: event.slice(mark.length) || undefined };
}

const beginning = Buffer.from(`event: ${mark}`);
const nameStart = 'event: '.length;

/**
 * The events without their marks, as server-sent events; `undefined` unless the bytes are passed events, whole and without
 * ids. Decoding them would cost several times as much.
 */
export function unmarkedEvents(bytes: Uint8Array): Buffer | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Buffer[] = [];
  let from = 0;
  while (from < buffer.length) {
    const end = buffer.indexOf(eventEnd, from);
    const name = from + beginning.length;
    if (end < 0 || buffer.compare(beginning, 0, beginning.length, from, name) !== 0) return undefined;
    from = end + eventEnd.length;
    if (buffer[name] === lineFeedByte) parts.push(buffer.subarray(name + 1, from));
    else parts.push(beginning.subarray(0, nameStart), buffer.subarray(name, from));
  }
  return Buffer.concat(parts);
}
