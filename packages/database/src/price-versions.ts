import { createHash } from 'node:crypto';
import { type Catalogue, type OfferPrices, priceListSchema } from '@tallyport/contracts';
import type { Database } from './database.ts';
import type { Queries } from './schema.ts';

/** The prices of a version of the catalogue. */
interface PriceVersion {
  version: string;
  /** When it was first in force here. */
  since: Date;
  prices: OfferPrices[];
}

/** The prices of all offers that have some. */
export const pricesIn = ({ models }: Pick<Catalogue, 'models'>): OfferPrices[] =>
  models.flatMap(({ id, offers }) =>
    offers
      .filter(({ pricing }) => Object.keys(pricing).length > 0)
      .map(({ providerId, pricing, priceTiers, tiers, geos, priceSince, priceSource }) => ({
        model: id,
        provider: providerId,
        pricing,
        ...(priceTiers && { priceTiers }),
        ...(tiers && { tiers }),
        ...(geos && { geos }),
        ...(priceSince !== undefined && { priceSince }),
        ...(priceSource !== undefined && { priceSource }),
      })),
  );

/** Stores the prices of the catalogue in force, or that it is still in force. */
export async function storePriceVersion({ kysely }: Database, catalogue: Catalogue): Promise<void> {
  const { version } = catalogue;
  const { numUpdatedRows } = await kysely
    .updateTable('price_versions')
    .set((set) => ({ seen_at: set.fn<Date>('now') }))
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const prices = JSON.stringify(pricesIn(catalogue));
  const list = createHash('sha256').update(prices).digest('base64url').slice(0, 22);
  await kysely.transaction().execute(async (transaction) => {
    const byId = transaction.insertInto('price_lists').values({ id: list, prices });
    await byId.onConflict((conflict) => conflict.doNothing()).execute();
    const byVersion = transaction.insertInto('price_versions').values({ version, list });
    await byVersion.onConflict((conflict) => conflict.doNothing()).execute();
  });
}

/** The prices of a version, or of the one seen last; `undefined` if it was never in force or is past the retention. */
export async function readPriceVersion({ kysely }: Database, version?: string): Promise<PriceVersion | undefined> {
  let query = kysely
    .selectFrom('price_versions')
    .innerJoin('price_lists', 'price_lists.id', 'price_versions.list')
    .select(['version', 'since', 'prices'])
    .orderBy('seen_at', 'desc')
    .orderBy('since', 'desc')
    .limit(1);
  if (version !== undefined) query = query.where('version', '=', version);
  const row = await query.executeTakeFirst();
  return row && { ...row, prices: priceListSchema.parse(row.prices) };
}

/** Deletes versions that were last in force before the date, and lists that no version has. */
export async function dropPriceVersionsBefore(queries: Queries, date: Date): Promise<void> {
  await queries.deleteFrom('price_versions').where('seen_at', '<', date).execute();
  await queries
    .deleteFrom('price_lists')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('price_versions').select('version').whereRef('list', '=', 'price_lists.id'))),
    )
    .execute();
}
