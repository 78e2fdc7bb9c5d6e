import {
  byName,
  type Offer,
  toolClasses,
  type RecalculatedSum,
  type RecalculationQuery,
  type UsageRecord,
} from '@tallyport/contracts';
import { modelOf, offerOf } from '@tallyport/contracts/testing';
import { type Database, openDatabase, sql, storePriceVersion } from '@tallyport/database';
import { createTestDatabase, type TestDatabase } from '@tallyport/database/testing';
import { moneyText, price } from '@tallyport/pricing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recalculateCommand } from '../commands/recalculate-command.ts';
import { createLedger } from '../usage/keep-ledger.ts';
import { silentLedger } from '../usage/testing/silent-ledger.ts';
import { tokensOf, usageRecord } from '../usage/testing/usage-record.ts';
import { createPriceLists } from './price-lists.ts';
import { recalculate } from './recalculate.ts';

const long = (prompt: string) => [{ overInputTokens: 200, pricing: { prompt } }];
const chatBefore = offerOf('alpha', {
  pricing: { prompt: '0.000004', completion: '0.00002', input_cache_read: '0.0000004', web_search: '0.01' },
  priceTiers: long('0.000008'),
  tiers: { flex: { factor: '0.5' } },
});
const chatAfter = offerOf('alpha', {
  pricing: { prompt: '0.000005', completion: '0.000030000000001', input_cache_read: '0.0000005', web_search: '0.02' },
  priceTiers: long('0.00001'),
  tiers: { flex: { factor: '0.4' } },
});
const placedBefore = offerOf('alpha', { pricing: { prompt: '0.000005', completion: '0.00002' }, geos: { us: '1.1' } });
const placedAfter = offerOf('alpha', { pricing: { prompt: '0.00001', completion: '0.00002' }, geos: { us: '1.2' } });
const paintBefore = offerOf('alpha', { pricing: { image: '0.04' } });
const paintAfter = offerOf('alpha', { pricing: { image: '0.05' } });
const gone = offerOf('beta', { pricing: { prompt: '0.1', completion: '0.1' } });

const before = {
  version: 'before',
  models: [
    modelOf('chat', [chatBefore]),
    modelOf('placed', [placedBefore]),
    modelOf('paint', [paintBefore]),
    modelOf('gone', [gone]),
  ],
};
const after = {
  version: 'after',
  models: [modelOf('chat', [chatAfter]), modelOf('placed', [placedAfter]), modelOf('paint', [paintAfter])],
};

interface Priced {
  model: string;
  offer: Offer;
  use: Parameters<typeof price>[1];
  changes?: Partial<UsageRecord>;
}

const noTools = byName(toolClasses, () => 0);
const day = '2026-11-21';
let minute = 0;

/** A record as chat-svc writes it, with the prices of before. */
function recordOf({ model, offer, use, changes }: Priced): UsageRecord {
  const { cost, costs } = price(offer, use);
  return usageRecord({
    at: `${day}T10:${String((minute += 1)).padStart(2, '0')}:00.000Z`,
    model,
    provider: offer.providerId,
    priceVersion: 'before',
    tokens: use.tokens,
    images: use.images,
    cost: cost === undefined ? null : moneyText(cost),
    costs: Object.fromEntries(costs.map((part) => [part.of, moneyText(part.cost)])),
    ...changes,
  });
}

const chat = (tokens: Partial<UsageRecord['tokens']>, changes?: Partial<UsageRecord>): Priced => ({
  model: 'chat',
  offer: chatBefore,
  use: { tokens: tokensOf(tokens), images: 0 },
  ...(changes && { changes }),
});

const traffic: Priced[] = [
  chat({ input: 100, cacheRead: 7, output: 3 }),
  chat({ input: 33, output: 1, reasoning: 5 }),
  chat({ input: 300, cacheRead: 1, output: 9 }),
  {
    model: 'chat',
    offer: chatBefore,
    use: { tokens: tokensOf({ output: 4 }), images: 0, tier: 'flex' },
    changes: { tier: 'flex' },
  },
  {
    model: 'placed',
    offer: placedBefore,
    use: { tokens: tokensOf({ input: 1_000 }), images: 0, geo: 'us' },
    changes: { details: { geo: 'us' } },
  },
  // Two images were paid, one was delivered.
  { model: 'paint', offer: paintBefore, use: { tokens: tokensOf(), images: 2 }, changes: { images: 1 } },
  { model: 'chat', offer: chatBefore, use: { tokens: tokensOf({ input: 9 }), images: 0, vendorCost: 0.123 } },
  {
    model: 'chat',
    offer: chatBefore,
    use: {
      tokens: tokensOf({ input: 11, advisorIn: 5, cacheWrite1h: 3 }),
      images: 0,
      tools: { ...noTools, webSearches: 2 },
    },
    changes: {
      webSearches: 2,
      cost: '0.077056',
      costs: { input: '0.000044', cacheWrite1h: '0.000012', webSearches: '0.02', advisorIn: '0.057' },
    },
  },
  { model: 'gone', offer: gone, use: { tokens: tokensOf({ input: 1 }), images: 0 } },
  chat({ input: 1 }, { accountId: 'another' }),
];

let place: TestDatabase;
let database: Database;
let tools: Parameters<typeof recalculate>[0];

beforeAll(async () => {
  place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  database = await openDatabase({ url: place.url });
  tools = { database, priceLists: createPriceLists(database) };
  await database.migrate();
  await storePriceVersion(database, before);
  await storePriceVersion(database, after);
  const records = traffic.map(recordOf);
  const cachedAnswer = usageRecord({
    provider: undefined,
    cached: true,
    cost: '0',
    costs: {},
    at: `${day}T11:00:00.000Z`,
  });
  const old = recordOf(chat({ input: 300, output: 2 }, { at: '2026-08-03T10:00:00.000Z' }));
  const ledger = createLedger(database, { retentionDays: 36_500, events: silentLedger });
  await ledger.write([...records, cachedAnswer, old]);
  await sql`drop table usage_records_2026_08`.execute(database.kysely);
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const sumOf = (sums: readonly RecalculatedSum[], ...[model, of]: [string, string]) => {
  const { booked, recalculated, requests } = sums.find((sum) => sum.model === model && sum.class === of) ?? {};
  return [booked, recalculated, requests];
};

/** What the prices of after make of the records of an account, each priced by itself. */
const expected = (name: string): string => {
  const ofClass = traffic
    .filter(({ model, changes }) => model === 'chat' && changes?.accountId === undefined)
    .flatMap(({ use }) => price(chatAfter, use).costs)
    .filter((part) => part.of === name);
  return moneyText(ofClass.reduce((sum, part) => sum + part.cost, 0n));
};

test('each record is priced with the other version by model and class, to the last digit', async () => {
  const { version, basis, sums, next } = await recalculate(tools, { day, accountId: 'account', version: 'after' });
  expect([version, basis, next]).toEqual(['after', 'records', undefined]);
  for (const name of ['input', 'cacheRead', 'output', 'reasoning', 'vendor']) {
    expect([name, sumOf(sums, 'chat', name)[1]]).toEqual([name, expected(name)]);
  }
  // 100, 33 and 11 tokens at the short price, 300 at the price of long prompts.
  expect(sumOf(sums, 'chat', 'input')).toEqual(['0.002976', '0.00372', 4]);
  expect(sumOf(sums, 'chat', 'webSearches')).toEqual(['0.02', '0.04', 1]);
  expect(sumOf(sums, 'chat', 'cacheWrite1h')).toEqual(['0.000012', '0.000015', 1]);
  expect(sumOf(sums, 'chat', 'advisorIn')).toEqual(['0.057', '0.057', 1]);
  // 3, 1 and 9 tokens, and 4 in the tier flex.
  expect(sumOf(sums, 'chat', 'output')).toEqual(['0.0003', '0.000438000000013', 4]);
  expect(sumOf(sums, 'placed', 'input')).toEqual(['0.0055', '0.012', 1]);
  expect(sumOf(sums, 'paint', 'images')).toEqual(['0.08', '0.1', 1]);
  expect(sumOf(sums, 'chat', 'vendor')).toEqual(['0.123', '0.123', 1]);
  expect(sumOf(sums, 'gone', 'unpriced')).toEqual(['0.1', '0', 1]);
});

test('with the version that the records name, the result is what was booked', async () => {
  const { sums } = await recalculate(tools, { day, version: 'before' });
  expect(sums.filter(({ booked, recalculated }) => booked !== recalculated)).toEqual([]);
  expect(sums.length).toBeGreaterThan(6);
});

test.each([1, 3, traffic.length, 100])('pages of %i records have the same sums as one', async (most) => {
  const read = async (query: RecalculationQuery): Promise<RecalculatedSum[]> => {
    const { sums, next } = await recalculate(tools, query, most);
    return next === undefined ? sums : [...sums, ...(await read({ ...query, after: next }))];
  };
  const outputs = (await read({ day, version: 'after' })).filter(
    (sum) => sum.model === 'chat' && sum.class === 'output',
  );
  expect(outputs.reduce((sum, { recalculated }) => sum + Number(recalculated), 0)).toBeCloseTo(
    Number(expected('output')),
    15,
  );
});

test('where records are deleted, the sums of the day are priced as short prompts', async () => {
  expect(await recalculate(tools, { day: '2026-08-03', version: 'after' })).toEqual({
    version: 'after',
    basis: 'sums',
    sums: [
      {
        model: 'chat',
        provider: 'alpha',
        class: 'all',
        requests: 1,
        booked: '0.00244',
        recalculated: '0.001560000000002',
      },
    ],
  });
});

test('the version seen last is taken if none is named, and an unknown one is refused', async () => {
  await storePriceVersion(database, after);
  expect((await recalculate(tools, { day })).version).toBe('after');
  await expect(recalculate(tools, { day, version: 'none' })).rejects.toMatchObject({
    code: 'not_found',
    message: 'No prices are known of catalogue none. It was never in force here, or longer ago than records are kept.',
  });
});

test('the ledger is as it was', async () => {
  const books = async () => {
    const digest = (table: string) =>
      sql`select count(*), md5(string_agg(each::text, ',' order by each::text)) from ${sql.table(table)} as each`.execute(
        database.kysely,
      );
    const tables = ['usage_records', 'usage_hours', 'usage_days', 'price_versions', 'price_lists'];
    return Promise.all(tables.map(async (table) => (await digest(table)).rows));
  };
  const found = await books();
  await run('--from', '2026-08-01', '--to', day);
  expect(await books()).toEqual(found);
});

const run = (...words: string[]) =>
  recalculateCommand(words)?.({ recalculate: (query) => recalculate(tools, query) }) ?? 'not understood';

test.each([
  [[]],
  [['--from', day]],
  [['--from', day, '--to', '2026-11-20']],
  [['--from', '2025-01-01', '--to', '2026-11-20']],
  [['--from', '2026-11-31', '--to', '2026-11-31']],
  [['--from', day, '--to', day, 'more']],
])('the command refuses the words %j', (words) => {
  expect(run(...words)).toBe('not understood');
});

test('the command shows both and the difference, and what only sums were left of', async () => {
  const text = await run('--from', '2026-08-01', '--to', day, '--at', 'after', '--account', 'account');
  expect(text).toMatch(/^2026-08-01 to 2026-11-21, priced with catalogue after\. Nothing is rewritten\.\n/);
  expect(text).toContain('\nchat  alpha  input  booked 0.002976  recalculated 0.00372  difference 0.000744\n');
  expect(text).toContain('\ngone  beta  unpriced  booked 0.1  recalculated 0  difference -0.1\n');
  expect(text).toContain(
    '\nOnly sums are left of 2026-08-03: prices of long prompts, service tiers and places are not applied there.\n',
  );
  const json = JSON.parse(await run('--from', day, '--to', day, '--at', 'after', '--account', 'account', '--json'));
  expect(json.sums.find(({ class: of }: { class: string }) => of === 'images')).toEqual({
    day,
    basis: 'records',
    model: 'paint',
    provider: 'alpha',
    class: 'images',
    requests: 1,
    booked: '0.08',
    recalculated: '0.1',
    difference: '0.02',
  });
  const sumOfRows = (member: string) =>
    json.sums.reduce((sum: number, row: Record<string, string>) => sum + Number(row[member]), 0);
  expect([sumOfRows('booked'), sumOfRows('recalculated')].map((sum) => sum.toFixed(12))).toEqual(
    [json.total.booked, json.total.recalculated].map((sum) => Number(sum).toFixed(12)),
  );
});

test('the command prices all pages and days with the version that the first one has', async () => {
  await storePriceVersion(database, after);
  const words = ['--from', '2026-11-20', '--to', day, '--account', 'account'];
  const text = await recalculateCommand(words)?.({
    async recalculate(query) {
      const page = await recalculate(tools, query, 2);
      await storePriceVersion(database, before);
      return page;
    },
  });
  expect(text).toBe(await run(...words, '--at', 'after'));
});

test('a version whose prices are not stored is looked for once', async () => {
  const ledger = createLedger(database, { retentionDays: 36_500, events: silentLedger });
  const image = { model: 'paint', offer: paintBefore, use: { tokens: tokensOf(), images: 1 } };
  const changes = { at: '2026-11-10T10:00:00.000Z', accountId: 'earlier', images: 1, priceVersion: 'earlier' };
  await ledger.write([1, 2, 3].map(() => recordOf({ ...image, changes })));
  const sought: unknown[] = [];
  const priceLists: typeof tools.priceLists = (version) => {
    sought.push(version);
    return tools.priceLists(version);
  };
  const { sums } = await recalculate({ database, priceLists }, { day: '2026-11-10', version: 'after' });
  expect(sumOf(sums, 'paint', 'images')).toEqual(['0.12', '0.15', 3]);
  expect(sought).toEqual(['after', 'earlier']);
});
