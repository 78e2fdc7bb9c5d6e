/** Whether the value nests at most this deep, so that reading or writing it cannot exhaust the stack. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1));
}

/** Whether a JSON schema refers to another document, which a client might load. */
export function refersOutside(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([name, member]) =>
    isReference(name) && typeof member === 'string' ? !member.startsWith('#') : refersOutside(member),
  );
}

const isReference = (name: string): boolean => name === '$ref' || name === '$dynamicRef' || name === '$recursiveRef';

/** Removes what would be invisible to people who read it: control characters, text directions and tags. */
export function readableText(text: string, most: number): string {
  const readable = text.replaceAll(invisible, '');
  return readable.length > most ? `${readable.slice(0, most - 1)}…` : readable;
}

const invisible = /[^\P{Cc}\n\t]|[\p{Cs}\u200b\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
