import type { ContentPiece } from './bounded-text.ts';

/** How an endpoint reads the content of its requests. */
export interface ContentReader {
  prompt(): Iterable<ContentPiece>;
  /** The parts of a whole answer, or the pieces in one event of it. Returns none for what it does not know. */
  answer(document: object): Iterable<ContentPiece>;
}
