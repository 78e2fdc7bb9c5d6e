import { sql } from '@tallyport/database';
import { likeText } from './like-text.ts';

/** SQL: the text is anywhere in the name of a key, or at the beginning of the key. */
export function matchesKey(search: string) {
  const text = likeText(search);
  return sql<boolean>`(name ilike ${`%${text}%`} or prefix like ${`${text}%`})`;
}
