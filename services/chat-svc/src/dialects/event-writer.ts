import type { PassedEvent, StreamFraming } from '@tallyport/dialects';
import { inLines, sseComment, sseDone, sseText, type VendorEvent } from '@tallyport/wire';

/** How the events of one stream are written. Each method returns the bytes to send next. */
interface EventWriter {
  readonly contentType: string;
  events(events: readonly PassedEvent[]): Buffer;
  /** An event of a vendor as it is. */
  passed(event: VendorEvent): Buffer;
  /** Sent while nothing else is, so that no proxy closes the connection. */
  silence(): Buffer;
  /** After the last event; `failed` if that reports an error. */
  end(failed: boolean): Buffer;
}

export const eventWriter = (framing: StreamFraming): EventWriter =>
  framing === 'array' ? arrayWriter() : sseWriter(framing);

const nothing = Buffer.alloc(0);

const sseWriter = (framing: Exclude<StreamFraming, 'array'>): EventWriter => ({
  contentType: 'text/event-stream; charset=utf-8',
  events: (events) => Buffer.from(events.map(({ event, json }) => sseText(inLines(json), event)).join('')),
  passed: ({ bytes }) => bytes,
  silence: () => sseComment(),
  end: (failed) => (failed || framing === 'events' ? nothing : sseDone()),
});

function arrayWriter(): EventWriter {
  let mark = '[';
  const events = (elements: readonly PassedEvent[]): Buffer => {
    const texts = elements.map(({ json }) => {
      const text = mark + json;
      mark = ',\n';
      return text;
    });
    return Buffer.from(texts.join(''));
  };
  return {
    contentType: 'application/json; charset=utf-8',
    events,
    passed: ({ data }) => events([{ json: data.toString() }]),
    // Space between the elements.
    silence: () => Buffer.from('\n'),
    end: () => Buffer.from(mark === '[' ? '[]' : ']'),
  };
}
