import { lookup } from 'node:dns/promises';
import { within } from '@tallyport/service-kit';

/** The addresses of all replicas, as URLs; each call starts at another one. Rejects if a name cannot be resolved. */
export type Addresses = () => Promise<readonly string[]>;

type LookUp = (name: string) => Promise<readonly { address: string; family: number }[]>;

const lookUpMs = 5_000;

/** Every name is resolved for each request, because its addresses change with the replicas. */
export function createAddresses(
  urls: () => readonly string[],
  lookUp: LookUp = (name) => lookup(name, { all: true }),
): Addresses {
  let turn = 0;

  async function addressesOf(text: string): Promise<readonly string[]> {
    const url = new URL(text);
    const found = await within(lookUp(url.hostname.replace(/^\[|\]$/g, '')), lookUpMs);
    if (found === undefined) throw new Error(`The addresses of ${url.hostname} could not be looked up in time.`);
    return found.map(({ address, family }) => {
      url.hostname = family === 6 ? `[${address}]` : address;
      return url.origin;
    });
  }

  return async () => {
    const all = (await Promise.all(urls().map(addressesOf))).flat();
    const first = turn++ % all.length;
    return [...all.slice(first), ...all.slice(0, first)];
  };
}
