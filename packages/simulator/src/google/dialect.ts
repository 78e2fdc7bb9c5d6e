import { piece, type PieceKind, type Piece, type FaultDialect } from '@tallyport/sandbox';
import { googleErrorReply } from './errors.ts';
import { googleFailure } from './failures.ts';

/** Events end in CRLF and have no names. */
export const googleEvent = (part: PieceKind, data: unknown): Piece =>
  piece(part, `data: ${JSON.stringify(data)}\r\n\r\n`);

const textOnly = (text: string) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] });

export const eventDialect: FaultDialect = {
  failure: (status, options = {}) => googleErrorReply(googleFailure(status, options)),
  midStream: [googleEvent('error', { error: googleFailure(503) })],
  malformed: piece('delta', 'data: {"candidates":[{"conte\r\n\r\n'),
  delta: (text) => googleEvent('delta', textOnly(text)),
  comment: piece('comment', ': heartbeat\r\n\r\n'),
  usageMembers: ['usageMetadata'],
};

/** Without `alt=sse`: one JSON array, sent in pieces. */
export const arrayDialect: FaultDialect = {
  failure: (status, options = {}) => googleErrorReply(googleFailure(status, options), true),
  midStream: [piece('error', `,\r\n${JSON.stringify({ error: googleFailure(503) })}]`)],
  malformed: piece('delta', ',\r\n{"candidates":[{"conte'),
  delta: (text) => piece('delta', `,\r\n${JSON.stringify(textOnly(text))}`),
  comment: piece('comment', '\r\n'),
  usageMembers: ['usageMetadata'],
};
