import { createSseDecoder, frameText, totalBytes } from '@tallyport/wire';
import type { ContentPiece } from '../content-reader.ts';
import type { ContentReader } from '../content-reader.ts';

/** Returns the pieces in the next bytes of an answer. */
export type ReadPieces = (bytes: Uint8Array) => ContentPiece[];

/** Larger documents and events are not read: of them only the size is kept. */
const maxDocumentBytes = 1024 * 1024;

export function readWhole(slices: readonly Buffer[], reader: ContentReader): ContentPiece[] {
  const length = totalBytes(slices);
  if (length > maxDocumentBytes) return [unread('application/json', length)];
  return [...readJson(Buffer.concat(slices).toString(), reader)];
}

/** The bytes of a stream of events, in any pieces. */
export function readEvents(reader: ContentReader): ReadPieces {
  const decoder = createSseDecoder({ maxFrameBytes: maxDocumentBytes });
  let isReadable = true;
  return (bytes) => {
    if (!isReadable) return [unread('text/event-stream', bytes.length)];
    try {
      return decoder.push(bytes).flatMap((frame) => [...readJson(frameText(frame), reader)]);
    } catch {
      isReadable = false;
      return [unread('text/event-stream', bytes.length)];
    }
  };
}

/** An answer that is passed on as it arrives: a text as it is, of anything else only the size. */
export function readBytes(contentType: string): ReadPieces {
  const mediaType = contentType.split(';')[0] ?? '';
  if (!/^(text\/|application\/json)/.test(mediaType)) return (bytes) => [unread(mediaType, bytes.length)];
  const decoder = new TextDecoder();
  return (bytes) => [{ of: 'text', kind: 'text', text: decoder.decode(bytes, { stream: true }) }];
}

function readJson(text: string, reader: ContentReader): Iterable<ContentPiece> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? reader.answer(value) : [];
}

const unread = (mediaType: string, bytes: number): ContentPiece => ({ of: 'file', kind: 'file', mediaType, bytes });
