import type { ChatRequest } from '@tallyport/wire';
import type { DialectRequest } from '../../dialect.ts';
import { messagesDialect } from '../index.ts';

export const requestOf = (body: unknown): DialectRequest => ({
  bytes: Buffer.from(JSON.stringify(body) ?? ''),
  body,
  path: '',
  query: new URLSearchParams(),
  headers: {},
  now: () => 1,
  newId: () => '0123456789abcdef0123456789abcdef',
});

/** The request for providers with another API. Throws why there is none. */
export function translatedOf(body: unknown): ChatRequest {
  const { chat, untranslatable } = messagesDialect.read(requestOf(body));
  if (untranslatable !== undefined) throw untranslatable;
  return chat;
}

/** A body with only what is required, and the given members. */
export const bodyOf = (members: object = {}): object => ({
  model: 'claude-opus-5',
  max_tokens: 4_096,
  messages: [{ role: 'user', content: 'Hi' }],
  ...members,
});
