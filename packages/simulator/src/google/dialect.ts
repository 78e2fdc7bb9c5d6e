import { piece, type Part, type Piece, type Dialect } from '@switchyard/sandbox';
import { errorReply } from './errors.ts';
import { failureOf } from './failures.ts';

/** Events end in CRLF here and have no names. */
export const event = (part: Part, data: unknown): Piece => piece(part, `data: ${JSON.stringify(data)}\r\n\r\n`);

const textOnly = (text: string) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] });

export const eventDialect: Dialect = {
  failure: (status, options = {}) => errorReply(failureOf(status, options)),
  midStream: [event('error', { error: failureOf(503) })],
  malformed: piece('delta', 'data: {"candidates":[{"conte\r\n\r\n'),
  delta: (text) => event('delta', textOnly(text)),
  comment: piece('comment', ': heartbeat\r\n\r\n'),
  usageMembers: ['usageMetadata'],
};

/** Without `alt=sse`: one JSON array, in pieces. */
export const arrayDialect: Dialect = {
  failure: (status, options = {}) => errorReply(failureOf(status, options), true),
  midStream: [piece('error', `,\r\n${JSON.stringify({ error: failureOf(503) })}]`)],
  malformed: piece('delta', ',\r\n{"candidates":[{"conte'),
  delta: (text) => piece('delta', `,\r\n${JSON.stringify(textOnly(text))}`),
  comment: piece('comment', '\r\n'),
  usageMembers: ['usageMetadata'],
};
