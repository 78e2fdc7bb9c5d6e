import type { OfferPrices } from '@tallyport/contracts';
import { type Database, readPriceVersion } from '@tallyport/database';

interface PriceList {
  version: string;
  offerOf(place: Place): OfferPrices | undefined;
}

interface Place {
  model: string;
  provider: string;
}

/** Reads the prices of a version, or of the one in force. */
export type PriceLists = (version: string | undefined) => Promise<PriceList | undefined>;

/** Each is as large as the catalogue. */
const mostLists = 8;

/** Keeps the lists used last: a version never changes, and a recalculation reads many pages with few versions. */
export function createPriceLists(database: Database): PriceLists {
  const lists = new Map<string, PriceList>();
  return async (version) => {
    const kept = version === undefined ? undefined : lists.get(version);
    const list = kept ?? (await read(database, version));
    if (list === undefined) return undefined;
    // Moved to the end: the first one is the one used longest ago.
    lists.delete(list.version);
    lists.set(list.version, list);
    const [first] = lists.keys();
    if (first !== undefined && lists.size > mostLists) lists.delete(first);
    return list;
  };
}

async function read(database: Database, version: string | undefined): Promise<PriceList | undefined> {
  const found = await readPriceVersion(database, version);
  if (found === undefined) return undefined;
  const offers = new Map(found.prices.map((offer) => [nameOf(offer), offer]));
  return { version: found.version, offerOf: (place) => offers.get(nameOf(place)) };
}

const nameOf = ({ model, provider }: Place): string => `${model} ${provider}`;
