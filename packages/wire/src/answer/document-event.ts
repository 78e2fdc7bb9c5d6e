import type { LongStrings } from '../json/long-strings.ts';
import { eventEnd, eventHead } from '../sse/encode.ts';
import type { ChatChunk } from '../openai/chunk.ts';
import { joinPieces } from '../pieces.ts';
import { type AnswerDocument, documentOf } from './answer-document.ts';
import type { AnswerEvent, ChunkEvent, DocumentEvent } from './answer-event.ts';

/** An event of OpenAI's APIs that is no chunk. */
export const documentEvent = (name: string | undefined, value: object, strings?: LongStrings): DocumentEvent => ({
  kind: 'document',
  name,
  document: documentOf(value, strings),
});

/** A chunk with images, which are not copied. */
export const imageChunkEvent = (chunk: ChatChunk, strings: LongStrings): ChunkEvent =>
  new ImageChunk(documentOf(chunk, strings));

class ImageChunk implements ChunkEvent {
  readonly kind = 'chunk';
  readonly document: AnswerDocument;

  constructor(document: AnswerDocument) {
    this.document = document;
  }

  get chunk(): ChatChunk {
    return this.document.value() as ChatChunk;
  }

  get bytes(): Buffer {
    return joinPieces(inEvent(undefined, this.document));
  }
}

/** An event as OpenAI's APIs write it, in slices. */
export function eventSlices(event: AnswerEvent): Buffer[] {
  if (event.kind === 'document') return inEvent(event.name, event.document);
  return event.kind === 'chunk' && event.document !== undefined ? inEvent(undefined, event.document) : [event.bytes];
}

const inEvent = (name: string | undefined, document: AnswerDocument): Buffer[] => [
  eventHead(name),
  ...document.slices(),
  eventEnd,
];
