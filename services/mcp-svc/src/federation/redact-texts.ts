import type { RedactSecrets } from './redact.ts';

/** Members of content blocks with bytes in base64. */
const binary = new Set(['data', 'blob']);

/** The value with secrets removed from all its texts and names of members. Expects a shallow value. */
export function redactTexts<Value>(value: Value, redact: RedactSecrets): Value;
export function redactTexts(value: unknown, redact: RedactSecrets): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redactTexts(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  const members: Record<string, unknown> = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      redact(name),
      isBytes(members, name) ? member : redactTexts(member, redact),
    ]),
  );
}

const isBytes = (block: Readonly<Record<string, unknown>>, name: string): boolean =>
  binary.has(name) && typeof block['mimeType'] === 'string';
