import type { RedactSecrets } from './redact.ts';

/** The value with secrets removed from all its texts and names of members. Expects a shallow value. */
export function redactTexts<Value>(value: Value, redact: RedactSecrets): Value;
export function redactTexts(value: unknown, redact: RedactSecrets): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redactTexts(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name), redactTexts<unknown>(member, redact)]),
  );
}
