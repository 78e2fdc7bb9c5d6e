import { text } from '../read.ts';

/** The message of an error that is not in the vendor's JSON format: plain text, an HTML page of a proxy, or nothing. */
export function plainText(body: unknown): string {
  const plain = text(typeof body === 'string' ? body.trim() : undefined);
  if (plain === undefined) return 'no reason was given';
  return plain.startsWith('<') ? 'a page instead of an answer' : plain;
}
