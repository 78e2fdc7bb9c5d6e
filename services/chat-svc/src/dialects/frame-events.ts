import type { StreamFraming } from '@tallyport/dialects';
import { sseComment, sseDone, sseText, unmarkedEvents } from '@tallyport/wire';

/** An event whose data is JSON text already. */
export interface JsonEvent {
  event?: string | undefined;
  json: string;
}

/** How the events of one stream are written. Each method returns the bytes to send next. */
export interface EventWriter {
  readonly contentType: string;
  events(events: readonly JsonEvent[]): Buffer;
  /** Events of a vendor that need no reading; `undefined` if they have to be written one by one. */
  passed(piece: Uint8Array): Buffer | undefined;
  /** Sent while nothing else is, so that no proxy closes the connection. */
  silence(): Buffer;
  /** After the last event; `failed` if that reports an error. */
  end(failed: boolean): Buffer;
}

/** `follows`: every event of a vendor is read, so none is passed on as bytes. */
export function eventWriter(framing: StreamFraming, { follows = false } = {}): EventWriter {
  const writer = framing === 'array' ? arrayWriter() : sseWriter(framing);
  return follows ? { ...writer, passed: () => undefined } : writer;
}

function sseWriter(framing: Exclude<StreamFraming, 'array'>): EventWriter {
  return {
    contentType: 'text/event-stream; charset=utf-8',
    events: (events) => Buffer.from(events.map(({ event, json }) => sseText(inLines(json), event)).join('')),
    passed: unmarkedEvents,
    silence: () => sseComment(),
    end: (failed) => (failed || framing === 'events' ? Buffer.alloc(0) : sseDone()),
  };
}

/** Vendors may break JSON into lines. */
const inLines = (json: string): string => json.replaceAll('\n', '\ndata: ');

function arrayWriter(): EventWriter {
  let mark = '[';
  return {
    contentType: 'application/json; charset=utf-8',
    events(events) {
      const texts = events.map(({ json }) => {
        const text = mark + json;
        mark = ',\n';
        return text;
      });
      return Buffer.from(texts.join(''));
    },
    passed: () => undefined,
    // Space between the elements.
    silence: () => Buffer.from('\n'),
    end: () => Buffer.from(mark === '[' ? '[]' : ']'),
  };
}
