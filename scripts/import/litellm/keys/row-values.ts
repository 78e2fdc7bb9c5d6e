import type { Row } from './read-dump.ts';

/** Columns of a row. In JSON they have types; in dumps and CSV they are texts of Postgres. */
export function numberIn(row: Row, name: string): number | undefined {
  const value = row[name];
  if (value == null || value === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

export function textIn(row: Row, name: string): string | undefined {
  const value = row[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export const flagIn = (row: Row, name: string): boolean =>
  [true, 't', 'true', 'TRUE', 'True'].some((each) => each === row[name]);

/** A list, or an array as Postgres writes it: `{gpt-5.5,"a name"}`. */
export function listIn(row: Row, name: string): string[] {
  const value = row[name];
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string');
  if (typeof value !== 'string') return [];
  if (value.startsWith('[')) return listIn({ list: parsed(value) }, 'list');
  const inside = /^\{([^]*)\}$/.exec(value)?.[1] ?? '';
  const elements = inside.matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g);
  return [...elements].map(([, quoted, plain = '']) => quoted?.replaceAll(/\\(.)/g, '$1') ?? plain);
}

/** Whether a column has something: JSON without members is nothing. */
export function isSet(row: Row, name: string): boolean {
  const value = row[name];
  if (typeof value === 'string') return !['', '{}', '[]', 'null'].includes(value.trim());
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value != null && value !== false;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
