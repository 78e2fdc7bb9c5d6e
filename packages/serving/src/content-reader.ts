import type { ContentPart } from '@tallyport/contracts';

/** A part, or a piece of one that arrives over time. */
export interface ContentPiece extends ContentPart {
  /** Pieces of the same part have the same name; a piece without one is a part of its own. */
  of?: string;
}

/** How an endpoint reads the content of its requests. */
export interface ContentReader {
  prompt(): Iterable<ContentPiece>;
  /** The parts of a whole answer, or the pieces in one event of it. Returns none for what it does not know. */
  answer(document: object): Iterable<ContentPiece>;
}
