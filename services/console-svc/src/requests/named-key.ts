import { clientOfKeyId } from '@tallyport/management';
import { readKeyNames } from '../screen/key-names.ts';
import type { DashboardRequest } from '../screen/route.ts';

export interface NamedKey {
  id: string;
  name: string;
}

const longestSearch = 100;

/**
 * Finds the key that a person named in a filter, by its name or its id. Of several keys with one name it is the newest,
 * and a text without a key is taken for the id of a deleted one.
 */
export async function findNamedKey(
  request: Pick<DashboardRequest, 'ask' | 'caller'>,
  text: string,
  known: readonly NamedKey[],
): Promise<NamedKey> {
  const found = keyOf(text, known) ?? (await searchedKey(request, text));
  return found ?? { id: text, name: (await readKeyNames(request, [text]))(text) };
}

/** The id of the key that a person named in a filter, as `findNamedKey` finds it without its name. */
export const findKeyId = async (request: Pick<DashboardRequest, 'ask'>, text: string): Promise<string> =>
  (await searchedKey(request, text))?.id ?? text;

async function searchedKey({ ask }: Pick<DashboardRequest, 'ask'>, text: string): Promise<NamedKey | undefined> {
  if (clientOfKeyId(text) !== undefined || text.length > longestSearch) return undefined;
  const { keys } = await ask('listKeys', { search: text, order: 'newest', limit: longestSearch });
  return keyOf(text, keys);
}

const keyOf = (text: string, keys: readonly NamedKey[]): NamedKey | undefined =>
  keys.find(({ id }) => id === text) ?? keys.find(({ name }) => name.toLowerCase() === text.toLowerCase());

/** The text of the field for a chosen key: its name, or its id where a newer key has the name. */
export const fieldOfKey = ({ id, name }: NamedKey, known: readonly NamedKey[]): string =>
  known.find((key) => key.name.toLowerCase() === name.toLowerCase())?.id === id ? name : id;
