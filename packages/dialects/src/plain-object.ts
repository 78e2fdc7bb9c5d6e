import { isExactNumber, parseExactJson } from '@tallyport/wire';

export type PlainObject = Readonly<Record<string, unknown>>;

export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);

/** An object from its JSON text; `undefined` for other text. Nothing, and null, count as an object without members. */
export function objectIn(json: string): PlainObject | undefined {
  try {
    const value: unknown = json.trim() === '' ? null : parseExactJson(json);
    if (value === null) return {};
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same, where other text counts as an object without members as well. */
export const parsedObject = (json: string): PlainObject => objectIn(json) ?? {};
