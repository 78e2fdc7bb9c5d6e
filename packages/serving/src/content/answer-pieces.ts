import { type AnswerDocument, type AnswerEvent, totalBytes } from '@tallyport/wire';
import type { ContentPiece, ContentReader } from '../content-reader.ts';

/** Of larger documents and events that have to be decoded, only the size is kept. */
const maxDecodedBytes = 1024 * 1024;

export function readWhole(document: AnswerDocument, reader: ContentReader): Iterable<ContentPiece> {
  if (document.encodedBytes > maxDecodedBytes) return [unread('application/json', totalBytes(document.slices()))];
  return piecesOf(document.value(), reader);
}

export const readEvents =
  (reader: ContentReader) =>
  (events: readonly AnswerEvent[]): ContentPiece[] =>
    events.flatMap((event) => [...readEvent(event, reader)]);

function readEvent(event: AnswerEvent, reader: ContentReader): Iterable<ContentPiece> {
  if (event.kind === 'passed') {
    const { data } = event;
    return data.length > maxDecodedBytes ? [unreadEvent(data.length)] : piecesOf(JSON.parse(data.toString()), reader);
  }
  const { document } = event;
  if (document !== undefined && document.encodedBytes > maxDecodedBytes) return [unreadEvent(document.encodedBytes)];
  return piecesOf(event.kind === 'chunk' ? event.chunk : event.document.value(), reader);
}

/** An answer that is passed on as it arrives: a text as it is, of anything else only the size. */
export function readBytes(contentType: string): (bytes: Uint8Array) => ContentPiece[] {
  const mediaType = contentType.split(';')[0] ?? '';
  if (!/^(text\/|application\/json)/.test(mediaType)) return (bytes) => [unread(mediaType, bytes.length)];
  const decoder = new TextDecoder();
  return (bytes) => [{ of: 'text', kind: 'text', text: decoder.decode(bytes, { stream: true }) }];
}

const piecesOf = (value: unknown, reader: ContentReader): Iterable<ContentPiece> =>
  typeof value === 'object' && value !== null ? reader.answer(value) : [];

const unread = (mediaType: string, bytes: number): ContentPiece => ({ of: 'file', kind: 'file', mediaType, bytes });

const unreadEvent = (bytes: number): ContentPiece => unread('text/event-stream', bytes);
