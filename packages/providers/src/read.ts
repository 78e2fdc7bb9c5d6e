/** Readers for what vendors send: nothing here trusts a shape, nothing here throws. */
export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const members = (value: unknown): Members => (isMembers(value) ? value : {});

export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text that says something: vendors write "" where they mean nothing. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const finiteNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** What is left of a vendor's object beside the members that were read: unknown ones survive, null ones say nothing. */
export function others(value: Members, known: ReadonlySet<string>): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    // Assigning to __proto__ would change the object instead of adding a member.
    if (known.has(name) || value[name] === null || name === '__proto__') continue;
    rest[name] = value[name];
  }
  return rest;
}
