import type { Frame } from '../frame.ts';
import { eventEnd, eventHead, inLines, nextLine } from '../sse/encode.ts';

/** One event of a vendor's stream that is passed on as it is. */
export interface VendorEvent {
  readonly kind: 'passed';
  /** As the vendor named it. */
  readonly name: string | undefined;
  /** The vendor's own JSON. */
  readonly data: Buffer;
  /** As a server-sent event. */
  readonly bytes: Buffer;
}

/** The event of a frame, with other data if its model is renamed. Its bytes are copied: a frame is a view. */
export const passedEvent = ({ event }: Pick<Frame, 'event'>, data: Buffer): VendorEvent =>
  new WrittenVendorEvent(event, written(event, data));

/** The same from bytes that `passedEvent` has made for an event that differs only in its text. */
export const passedBytes = (name: string | undefined, bytes: Buffer): VendorEvent =>
  new WrittenVendorEvent(name, bytes);

class WrittenVendorEvent implements VendorEvent {
  readonly kind = 'passed';
  readonly name: string | undefined;
  readonly bytes: Buffer;

  constructor(name: string | undefined, bytes: Buffer) {
    this.name = name;
    this.bytes = bytes;
  }

  get data(): Buffer {
    const data = this.bytes.subarray(eventHead(this.name).length, -eventEnd.length);
    return data.includes(lineFeed) ? Buffer.from(data.toString().replaceAll(nextLine, lineFeed)) : data;
  }
}

const lineFeed = '\n';

function written(name: string | undefined, data: Buffer): Buffer {
  const head = eventHead(name);
  if (!data.includes(lineFeed)) return Buffer.concat([head, data, eventEnd]);
  return Buffer.concat([head, Buffer.from(inLines(data.toString())), eventEnd]);
}
