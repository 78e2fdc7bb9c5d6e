import type { KeyState } from '@tallyport/dispatch';
import type { CheckedProvider } from './check-provider-keys.ts';

/** A line for people about a provider's keys: `openai: key works`. */
export function describeKeys({ provider, setting, keys }: CheckedProvider): string {
  const states = [...new Set(keys)];
  const [only] = states;
  if (states.length === 1 && only !== undefined) return `${provider}: ${texts[only](nameOfAll(keys), setting)}`;
  const parts = states.map((state) => texts[state](nameOfSome(keys, state), setting));
  return `${provider}: ${parts.join('; ')}`;
}

interface Named {
  name: string;
  isMany: boolean;
}

const texts: Readonly<Record<KeyState, (named: Named, setting: string) => string>> = {
  works: ({ name, isMany }) => `${name} ${isMany ? 'work' : 'works'}`,
  refused: ({ name }, setting) => `${name} refused: check ${setting}`,
  unreachable: () => 'not reachable',
  untested: ({ name }) => `${name} not tested`,
};

const nameOfAll = (keys: readonly KeyState[]): Named =>
  keys.length === 1 ? { name: 'key', isMany: false } : { name: `${keys.length} keys`, isMany: true };

function nameOfSome(keys: readonly KeyState[], state: KeyState): Named {
  const places = keys.flatMap((each, place) => (each === state ? [place + 1] : []));
  const isMany = places.length > 1;
  return { name: `${isMany ? 'keys' : 'key'} ${places.join(', ')} of ${keys.length}`, isMany };
}
