import { piece, type PieceKind, type Piece } from '@tallyport/sandbox';

/** A server-sent event with a name in addition to its data. */
export const namedEvent = (part: PieceKind, name: string, data: unknown): Piece =>
  piece(part, `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
