import { type Catalogue, GatewayError, type OfferPrices } from '@tallyport/contracts';
import { type Database, pricesIn, readPriceVersion, storePriceVersion } from '@tallyport/database';

const hourMs = 3_600_000;

/** Stores the prices of each version that takes force, and once an hour that it still is. */
export function priceVersionKeeper(database: Database): (catalogue: Catalogue) => Promise<void> {
  let kept: string | undefined;
  let keptAt = 0;
  return async (catalogue) => {
    if (catalogue.version === kept && performance.now() - keptAt < hourMs) return;
    await storePriceVersion(database, catalogue);
    kept = catalogue.version;
    keptAt = performance.now();
  };
}

interface PriceListTools {
  catalogue(): Catalogue;
  place: { database: Database } | undefined;
}

interface PriceList {
  version: string;
  since?: string;
  prices: OfferPrices[];
}

/** The prices of a version. Without a database, only those in force are known. */
export const readPriceList =
  ({ catalogue, place }: PriceListTools) =>
  async ({ version }: { version?: string | undefined }): Promise<PriceList> => {
    const now = catalogue();
    if (version === undefined || version === now.version) return { version: now.version, prices: pricesIn(now) };
    const stored = place && (await readPriceVersion(place.database, version));
    if (stored !== undefined) return { ...stored, since: stored.since.toISOString() };
    throw new GatewayError(
      'not_found',
      `No prices are known of catalogue ${version}. It was never in force here, or longer ago than records are kept.`,
    );
  };
