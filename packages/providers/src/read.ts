import { isExactNumber } from '@tallyport/wire';

/** Readers for vendor data. They trust no shape and never throw. */
export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);

export const members = (value: unknown): Members => (isMembers(value) ? value : noMembers);

export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : noItems);

/** Most members of vendors' data are absent, so that is no reason to create an object. */
const noMembers: Members = {};
const noItems: readonly unknown[] = [];

/** A non-empty text: vendors send "" where they mean nothing. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export function finiteNumber(value: unknown): number | undefined {
  const number = isExactNumber(value) ? Number(value.rawJSON) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Copies the unknown members of a vendor's object, except null ones, into ours. */
export function copyOthers(value: Members, known: ReadonlySet<string>, target: Record<string, unknown>): void {
  for (const name in value) {
    // Assigning to __proto__ would change the prototype instead of adding a member.
    if (known.has(name) || value[name] === null || name === '__proto__') continue;
    target[name] = value[name];
  }
}

/** The same as an object of their own. */
export function others(value: Members, known: ReadonlySet<string>): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  copyOthers(value, known, rest);
  return rest;
}
