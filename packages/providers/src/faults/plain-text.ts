import { text } from '../read.ts';

/** What an error says that is no JSON of the vendor's: plain text, a page of some proxy, or nothing. */
export function plainText(body: unknown): string {
  const plain = text(typeof body === 'string' ? body.trim() : undefined);
  if (plain === undefined) return 'no reason was given';
  return plain.startsWith('<') ? 'a page instead of an answer' : plain;
}
