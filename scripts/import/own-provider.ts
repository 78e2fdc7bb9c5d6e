import { chatProviders } from '@tallyport/providers';
import type { Draft } from './draft.ts';
import type { LeftOvers, Path } from './left-over.ts';
import { unusedName } from './secret-names.ts';

const builtIn = new Set(chatProviders.map(({ id }) => id));

/** The provider of `tallyport.yaml` for an OpenAI-compatible address; equal addresses are one provider. */
export function ownProvider({ providers }: Draft, baseUrl: string, needsKey: boolean): string {
  for (const [id, each] of providers) {
    if (each?.baseUrl !== baseUrl) continue;
    if (needsKey) delete each.needsKey;
    return id;
  }
  const taken = { has: (id: string) => builtIn.has(id) || providers.has(id) };
  const id = unusedName(taken, idOf(new URL(baseUrl)), '-');
  providers.set(id, { baseUrl, ...(!needsKey && { needsKey }) });
  return id;
}

/** `http://10.0.0.7:8000/v1` is `10-0-0-7-8000`. */
const idOf = ({ host }: URL): string =>
  host
    .replace(/^(api|www)\./, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60) || 'own';

interface AddressPlace {
  path: Path;
  left: LeftOvers;
  /** What to do about an address that cannot be read. */
  instead: string;
}

export const noAddress = 'The address of its server is not known.';

/** The address without what may be a secret. `null` is one that cannot be read: the prompts must not go elsewhere. */
export function copyAddress(text: string, { path, left, instead }: AddressPlace): string | null {
  const plain = plainAddress(text);
  if (plain === undefined) left.add(path, noAddress, instead);
  else if (plain.isShortened) left.add(path, 'Only host and path of an address are copied.', keyInstead);
  return plain?.address ?? null;
}

const keyInstead = 'Send what it had in addition as the key of the provider.';

/** `undefined` if it is no address of the web. */
function plainAddress(text: string): { address: string; isShortened: boolean } | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  const isShortened = (url.username || url.password || url.search || url.hash) !== '';
  return { address, isShortened };
}
