import type { ChatRequest } from '@tallyport/wire';
import type { DialectRequest } from '../../dialect.ts';
import { geminiDialect } from '../index.ts';

export const bodyOf = (members: object = {}): object => ({
  contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
  ...members,
});

export const requestOf = (body: unknown, path = 'gemini-3-pro:generateContent', query = ''): DialectRequest => ({
  bytes: Buffer.from(JSON.stringify(body) ?? ''),
  body,
  path,
  query: new URLSearchParams(query),
  headers: {},
  now: () => 1,
  newId: () => '0123456789abcdef0123456789abcdef',
});

/** The request for providers with another API. Throws why there is none. */
export function translatedOf(body: unknown): ChatRequest {
  const { chat, untranslatable } = geminiDialect.read(requestOf(body));
  if (untranslatable !== undefined) throw untranslatable;
  return chat;
}
