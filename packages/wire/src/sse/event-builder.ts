import type { Frame } from '../frame.ts';

const COLON = 0x3a;
const SPACE = 0x20;
const DATA_FIELD = Buffer.from('data:');
const LINE_FEED = Buffer.from('\n');

/** Collects the fields of one event. */
interface EventBuilder {
  field(line: Buffer): void;
  /** Returns the event if it has data. The next field starts a new event. */
  take(): Frame | undefined;
  /** Bytes held for the current event. */
  size(): number;
  comments(): number;
  /** As last stated. */
  retryMs(): number | undefined;
}

export function createEventBuilder(): EventBuilder {
  let data: Buffer | undefined;
  let furtherLines: Buffer[] | undefined;
  let event: string | undefined;
  let id: string | undefined;
  let size = 0;
  let comments = 0;
  let retryMs: number | undefined;

  function addData(value: Buffer): void {
    if (data === undefined) data = value;
    else (furtherLines ??= [data]).push(LINE_FEED, value);
  }

  function namedField(line: Buffer): void {
    const colon = line.indexOf(COLON);
    const name = line.toString('latin1', 0, colon === -1 ? line.length : colon);
    const value = colon === -1 ? line.subarray(line.length) : valueAfter(line, colon);
    // Unknown names are ignored.
    if (name === 'data') addData(value);
    else if (name === 'event') event = value.toString('utf8');
    else if (name === 'id') id = value.toString('utf8');
    else if (name === 'retry') retryMs = wholeMs(value.toString('latin1')) ?? retryMs;
  }

  return {
    field(line) {
      if (line[0] === COLON) {
        comments += 1;
        return;
      }
      // Each line counts as one byte more, so that an event of many tiny fields is limited too.
      size += line.length + 1;
      if (startsData(line)) addData(valueAfter(line, DATA_FIELD.length - 1));
      else namedField(line);
    },
    take() {
      const whole = furtherLines === undefined ? data : Buffer.concat(furtherLines);
      const frame = whole === undefined ? undefined : { event, id, data: whole };
      data = undefined;
      event = undefined;
      id = undefined;
      furtherLines = undefined;
      size = 0;
      return frame;
    },
    size: () => size,
    comments: () => comments,
    retryMs: () => retryMs,
  };
}

/** Whether the line is a `data` field, as nearly all are. Five comparisons replace a search and a string. */
const startsData = (line: Buffer): boolean =>
  line[0] === 0x64 && line[1] === 0x61 && line[2] === 0x74 && line[3] === 0x61 && line[4] === COLON;

const valueAfter = (line: Buffer, colon: number): Buffer =>
  line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);

const wholeMs = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
