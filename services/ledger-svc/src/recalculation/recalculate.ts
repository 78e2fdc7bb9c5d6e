import {
  type CostClass,
  costClasses,
  GatewayError,
  type OfferPrices,
  type Recalculation,
  type RecalculationQuery,
  tokenClasses,
  tokenFields,
} from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { moneyText, price, readMoney } from '@tallyport/pricing';
import { dayMs } from '../usage/days.ts';
import type { PriceLists } from './price-lists.ts';
import { readRecordRows, readSumRows, type RecordRow, type SumRow } from './priced-rows.ts';
import { createRecalculatedSums, type RecalculatedSums } from './recalculated-sums.ts';

/** Records of one answer, so that each takes well under a second. */
const mostRecords = 5_000;

interface RecalculationTools {
  database: Database;
  priceLists: PriceLists;
}

/**
 * Prices a day of the ledger with another version of the catalogue, on paper: it only reads. Each record is priced by
 * itself; where records are deleted, the sums of the day are.
 */
export async function recalculate(
  { database, priceLists }: RecalculationTools,
  { day, accountId, version, after }: RecalculationQuery,
  most = mostRecords,
): Promise<Recalculation> {
  const list = await priceLists(version);
  if (list === undefined) throw unknownVersion(version);
  const from = new Date(`${day}T00:00:00Z`);
  const span = { from, until: new Date(from.getTime() + dayMs), accountId };
  const records = await readRecordRows(database, { ...span, after }, most);
  const sums = createRecalculatedSums();
  if (records.length === 0 && after === undefined) {
    for (const row of await readSumRows(database, span)) addSum(sums, row, list.offerOf(row));
    return { version: list.version, basis: 'sums', sums: sums.rows() };
  }
  const listBooked = bookedLists(priceLists);
  for (const record of records) {
    const booked = await listBooked(record);
    addRecord(sums, record, { offer: list.offerOf(record), before: booked?.offerOf(record) });
  }
  const last = records.length === most ? records.at(-1) : undefined;
  const next = last && { at: last.at.toISOString(), id: last.id };
  return { version: list.version, basis: 'records', sums: sums.rows(), ...(next && { next }) };
}

/** The prices that images were booked with. A version that is not stored is looked for once. */
function bookedLists(priceLists: PriceLists) {
  const unknown = new Set<string>();
  return async ({ costs, priceVersion }: RecordRow) => {
    if (costs.images === undefined || unknown.has(priceVersion)) return undefined;
    const list = await priceLists(priceVersion);
    if (list === undefined) unknown.add(priceVersion);
    return list;
  };
}

interface Offers {
  offer: OfferPrices | undefined;
  /** With the prices that the record has. */
  before: OfferPrices | undefined;
}

function addRecord(sums: RecalculatedSums, record: RecordRow, { offer, before }: Offers): void {
  const { model, provider, costs, tokens, counts, tier, geo } = record;
  const { vendor } = costs;
  const { cost, costs: parts } = price(offer ?? { pricing: {} }, {
    ...counts,
    tokens,
    tools: counts,
    images: paidImages(record, before),
    tier,
    geo,
    vendorCost: vendor === undefined ? undefined : Number(vendor),
  });
  const place = { model, provider, requests: 1 };
  if (cost === undefined) return sums.add({ ...place, class: 'unpriced', booked: record.cost, recalculated: 0n });
  const recalculated = new Map<CostClass, bigint>(keptCosts(costs));
  for (const part of parts) recalculated.set(part.of, part.cost);
  for (const name of costClasses) {
    const part = recalculated.get(name);
    if (costs[name] === undefined && part === undefined) continue;
    sums.add({ ...place, class: name, booked: costs[name], recalculated: part ?? 0n });
  }
}

/** Other models of an answer are priced by their own lists, which the record does not name: what was booked stays. */
const keptCosts = (costs: RecordRow['costs']): [CostClass, bigint][] =>
  tokenClasses.flatMap((name): [CostClass, bigint][] => {
    const booked = tokenFields[name].prices.length === 0 ? readMoney(costs[name] ?? '') : undefined;
    return booked === undefined ? [] : [[name, booked]];
  });

/** The ledger has the images that were delivered. More may have been paid, or none where tokens were. */
function paidImages({ costs, cost, counts }: RecordRow, before: OfferPrices | undefined): number {
  if (costs.images === undefined) return cost === undefined ? counts.images : 0;
  const each = readMoney(before?.pricing['image'] ?? '0') ?? 0n;
  return each === 0n ? counts.images : Number((readMoney(costs.images) ?? 0n) / each);
}

/** Sums have no lengths of prompts, so they are priced as short ones, no places and no costs by class. */
function addSum(sums: RecalculatedSums, row: SumRow, offer: OfferPrices | undefined): void {
  const { model, provider, requests, tokens, counts, cost: booked } = row;
  const { cost, costs: parts } = price({ pricing: offer?.pricing ?? {} }, { ...counts, tokens, tools: counts });
  const perRequest = parts.find((part) => part.of === 'request')?.cost ?? 0n;
  const name = cost === undefined ? 'unpriced' : 'all';
  const recalculated = (cost ?? 0n) + (cost === undefined ? 0n : perRequest * BigInt(requests - 1));
  sums.add({ model, provider, requests, class: name, booked: booked ?? moneyText(0n), recalculated });
}

const unknownVersion = (version: string | undefined): GatewayError =>
  version === undefined
    ? new GatewayError('not_found', 'No prices are stored yet. Start catalog-svc with this database.')
    : new GatewayError(
        'not_found',
        `No prices are known of catalogue ${version}. It was never in force here, or longer ago than records are kept.`,
      );
