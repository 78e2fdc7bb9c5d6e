import type { ChatChunk } from '../openai/chunk.ts';
import { encodeSse } from '../sse/encode.ts';
import type { AnswerDocument } from './answer-document.ts';
import type { VendorEvent } from './passed-event.ts';

/** One event of a streamed answer. The form of an API makes bytes of it, last. */
export type AnswerEvent = ChunkEvent | DocumentEvent | VendorEvent;

/** A chunk of a chat: an object and its bytes in OpenAI's API, of which each is made when a step asks for it. */
export interface ChunkEvent {
  readonly kind: 'chunk';
  /** Never change it: several steps read it. */
  readonly chunk: ChatChunk;
  readonly bytes: Buffer;
  /** Present if it has images, of which `bytes` would be a copy. */
  readonly document?: AnswerDocument;
}

/** Another event of OpenAI's APIs. */
export interface DocumentEvent {
  readonly kind: 'document';
  readonly name: string | undefined;
  readonly document: AnswerDocument;
}

export const chunkEvent = (chunk: ChatChunk): ChunkEvent => new MadeChunk(chunk);

class MadeChunk implements ChunkEvent {
  readonly kind = 'chunk';
  readonly chunk: ChatChunk;
  #bytes: Buffer | undefined;

  constructor(chunk: ChatChunk) {
    this.chunk = chunk;
  }

  get bytes(): Buffer {
    return (this.#bytes ??= encodeSse(JSON.stringify(this.chunk)));
  }
}

/** What was learned from a chunk about others that differ from it only in their text. */
export interface LearnedChunk {
  like: ChatChunk;
  /** The lengths of the bytes around the text. */
  before: number;
  after: number;
}

/** A chunk that differs from a learned one only in its text. */
export const textEvent = (bytes: Buffer, learned: LearnedChunk): ChunkEvent => new TextChunk(bytes, learned);

class TextChunk implements ChunkEvent {
  readonly kind = 'chunk';
  readonly bytes: Buffer;
  readonly #learned: LearnedChunk;
  #chunk: ChatChunk | undefined;

  constructor(bytes: Buffer, learned: LearnedChunk) {
    this.bytes = bytes;
    this.#learned = learned;
  }

  get chunk(): ChatChunk {
    return (this.#chunk ??= withText(this.bytes, this.#learned));
  }
}

const backslash = '\\';

function withText(bytes: Buffer, { like, before, after }: LearnedChunk): ChatChunk {
  const written = bytes.toString('utf8', before, bytes.length - after);
  const text: string = written.includes(backslash) ? JSON.parse(`"${written}"`) : written;
  const choices = like.choices.map((choice) => ({
    ...choice,
    delta: choice.delta.content ? { ...choice.delta, content: text } : { ...choice.delta, reasoning_content: text },
  }));
  return { ...like, choices };
}
