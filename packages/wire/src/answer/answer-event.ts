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

/** A text between bytes that were learned from another chunk, `like`. */
interface LearnedText {
  bytes: Buffer;
  like: ChatChunk;
  /** The lengths of the bytes around the text. */
  before: number;
  after: number;
}

/** A chunk that differs from another one only in its text. */
export const textEvent = (text: LearnedText): ChunkEvent => new TextChunk(text);

class TextChunk implements ChunkEvent {
  readonly kind = 'chunk';
  readonly #text: LearnedText;
  #chunk: ChatChunk | undefined;

  constructor(text: LearnedText) {
    this.#text = text;
  }

  get bytes(): Buffer {
    return this.#text.bytes;
  }

  get chunk(): ChatChunk {
    return (this.#chunk ??= withText(this.#text));
  }
}

const backslash = '\\';

function withText({ bytes, like, before, after }: LearnedText): ChatChunk {
  const written = bytes.toString('utf8', before, bytes.length - after);
  const text: string = written.includes(backslash) ? JSON.parse(`"${written}"`) : written;
  const choices = like.choices.map((choice) => ({
    ...choice,
    delta: choice.delta.content ? { ...choice.delta, content: text } : { ...choice.delta, reasoning_content: text },
  }));
  return { ...like, choices };
}
