/** Readers for vendor data. They trust no shape and never throw. */
export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const members = (value: unknown): Members => (isMembers(value) ? value : {});

export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A non-empty text: vendors send "" where they mean nothing. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const finiteNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** The unknown members of a vendor's object, without null ones. */
export function others(value: Members, known: ReadonlySet<string>): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    // Assigning to __proto__ would change the prototype instead of adding a member.
    if (known.has(name) || value[name] === null || name === '__proto__') continue;
    rest[name] = value[name];
  }
  return rest;
}
