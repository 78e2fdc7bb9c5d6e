import { sql } from '@switchyard/database';

/** SQL: the text is anywhere in the name of a key, or at the beginning of the key. */
export function matchesKey(search: string) {
  const text = search.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return sql<boolean>`(name ilike ${`%${text}%`} or prefix like ${`${text}%`})`;
}
