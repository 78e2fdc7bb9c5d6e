import type { OwnDay, OwnUse } from '@tallyport/contracts';
import type { BilledLine, CountedUse } from '@tallyport/providers/cost-reports';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareWithBill } from './compare.ts';
import { billedAmount } from './build-cells.ts';

const use = (changes: Partial<OwnUse> = {}): OwnUse => ({
  day: '2026-11-02',
  model: 'gpt-6-astra',
  billedClass: 'input',
  keyId: '',
  cost: '0.001',
  quantity: 1000,
  estimated: '0',
  unpriced: 0,
  fromDayBefore: '0',
  toDayAfter: '0',
  ...changes,
});

const day = (changes: Partial<OwnDay> = {}): OwnDay => ({
  day: '2026-11-02',
  model: 'gpt-6-astra',
  requests: 2,
  failed: 0,
  unpriced: 0,
  tiers: [],
  ...changes,
});

const line = (changes: Partial<BilledLine> = {}): BilledLine => ({
  day: '2026-11-02',
  model: 'gpt-6-astra',
  billedClass: 'input',
  amount: '0.001000000',
  quantity: 1000,
  ...changes,
});

const withoutQuantity = (whole: BilledLine): BilledLine => {
  const rest = { ...whole };
  delete rest.quantity;
  return rest;
};

interface Sides {
  uses?: OwnUse[];
  days?: OwnDay[];
  lines?: BilledLine[];
  counted?: CountedUse[];
  names?: { keys?: Record<string, string>; models?: Record<string, string> };
}

const compared = ({ uses = [use()], days = [day()], lines = [line()], counted = [], names = {} }: Sides) =>
  compareWithBill({
    period: { from: '2026-11-01', to: '2026-11-03' },
    report: { lines, uses: counted },
    own: { uses, days },
    names,
  });

test('finds no difference between equal sides that write the model differently', () => {
  const lines = [line({ model: 'gpt-6-astra-2026-10-01', amount: '1e-3' })];
  expect(compared({ lines })).toEqual({
    ours: '0.001',
    theirs: '0.001',
    difference: '0',
    ratio: 0,
    reasons: {},
    rows: [
      {
        day: '2026-11-02',
        model: 'gpt-6-astra',
        billedClass: 'input',
        key: '',
        ours: '0.001',
        theirs: '0.001',
        difference: '0',
        reasons: {},
      },
    ],
  });
});

const reasonsOf = (sides: Sides) => {
  const { difference, reasons } = compared(sides);
  return { difference, reasons };
};

test('names a model or a key that did not pass the gateway', () => {
  const other = line({ model: 'gpt-elsewhere', amount: '0.5', quantity: 7 });
  expect(reasonsOf({ lines: [line(), other] })).toEqual({ difference: '0.5', reasons: { outside_gateway: '0.5' } });
  const keyed = [line({ keyId: 'key_ours' }), line({ keyId: 'key_other', amount: '0.25' })];
  expect(reasonsOf({ lines: keyed, names: { keys: { key_ours: '' } } })).toEqual({
    difference: '0.25',
    reasons: { outside_gateway: '0.25' },
  });
  expect(compared({ lines: keyed, names: { keys: { key_ours: '' } } }).rows[1]).toMatchObject({
    key: 'key_other',
    theirs: '0.25',
  });
  const renamed = { ...other, quantity: 500_000 };
  expect(
    reasonsOf({ lines: [renamed, line()], names: { models: { 'gpt-elsewhere': 'gpt-6-astra' } } }).reasons,
  ).toEqual({
    unexplained: '0.5',
  });
});

test('compares each key that the map names with ours', () => {
  const uses = [use({ keyId: 'provider_key_1' }), use({ keyId: 'provider_key_2', cost: '0.002', quantity: 2000 })];
  const lines = [line({ keyId: 'key_a' }), line({ keyId: 'key_b', amount: '0.002000000', quantity: 2000 })];
  const keys = { key_a: 'provider_key_1', key_b: 'provider_key_2' };
  expect(compared({ uses, lines, names: { keys } }).rows.map(({ key, difference }) => [key, difference])).toEqual([
    ['provider_key_1', '0'],
    ['provider_key_2', '0'],
  ]);
});

test('divides amounts without a key by what each key used, exactly', () => {
  const lines = [line({ amount: '0.000000003', quantity: 3 })].map(withoutQuantity);
  const counts = (keyId: string, input: number): CountedUse => ({
    day: '2026-11-02',
    model: 'gpt-6-astra',
    keyId,
    counts: { input },
  });
  const uses = [use({ cost: '0.000000001', quantity: 1 })];
  const sides = { uses, lines, counted: [counts('key_ours', 1), counts('key_other', 2)] };
  expect(reasonsOf({ ...sides, names: { keys: { key_ours: '' } } })).toEqual({
    difference: '0.000000002',
    reasons: { outside_gateway: '0.000000002' },
  });
});

test('names what the vendor counted on the day before or after, at most what these requests cost', () => {
  const uses = [
    use({ day: '2026-11-01', cost: '0.001' }),
    use({ day: '2026-11-02', cost: '0.004', quantity: 4000, fromDayBefore: '0.002' }),
  ];
  const days = [day({ day: '2026-11-01' }), day()];
  const lines = [
    line({ day: '2026-11-01', amount: '0.003000000', quantity: 3000 }),
    line({ day: '2026-11-02', amount: '0.002000000', quantity: 2000 }),
  ];
  const { difference, reasons, ratio, rows } = compared({ uses, days, lines });
  expect({ difference, reasons, ratio }).toEqual({ difference: '0', reasons: {}, ratio: 0 });
  expect(rows.map((row) => row.reasons)).toEqual([{ other_day: '0.002' }, { other_day: '-0.002' }]);

  const more = [line({ day: '2026-11-01', amount: '0.004', quantity: 4000 }), line({ amount: '0.001' })];
  expect(compared({ uses, days, lines: more }).rows.map((row) => row.reasons)).toEqual([
    { other_day: '0.002', unexplained: '0.001' },
    { other_day: '-0.002', unexplained: '-0.001' },
  ]);
});

test('names requests of the days beside the period', () => {
  const uses = [
    use({ day: '2026-11-01', fromDayBefore: '0.0004' }),
    use({ day: '2026-11-04', cost: '0.005', fromDayBefore: '0.0003' }),
    use({ day: '2026-11-03', cost: '0.002' }),
  ];
  const lines = [
    line({ day: '2026-11-01', amount: '0.0006', quantity: 600 }),
    line({ day: '2026-11-03', amount: '0.0023' }),
  ];
  const { difference, reasons } = compared({ uses, lines, days: [] });
  expect({ difference, reasons }).toEqual({ difference: '-0.0001', reasons: { other_day: '-0.0001' } });
});

test('names a class without a price and a record without a cost', () => {
  const search = line({ billedClass: 'webSearches', amount: '0.01', quantity: 1 });
  expect(reasonsOf({ lines: [line(), search], days: [day({ unpriced: 1 })] }).reasons).toEqual({ unpriced: '0.01' });
  // Not flagged: the ledger has no sign of it.
  expect(reasonsOf({ lines: [line(), search] }).reasons).toEqual({ unexplained: '0.01' });
  const half = [use({ cost: '0.0005', unpriced: 500 })];
  expect(reasonsOf({ uses: half, days: [day({ unpriced: 1 })] }).reasons).toEqual({ unpriced: '0.0005' });
});

test('names another price of the same quantity, and a tier that the ledger did not bill', () => {
  const dearer = [line({ amount: '0.002000000' })];
  expect(reasonsOf({ lines: dearer }).reasons).toEqual({ other_price: '0.001' });
  const cheaper = [line({ amount: '0.000500000' })];
  expect(reasonsOf({ lines: cheaper }).reasons).toEqual({ other_price: '-0.0005' });
  const counted = [{ day: '2026-11-02', model: 'gpt-6-astra', tier: 'priority', requests: 2, counts: {} }];
  expect(reasonsOf({ lines: dearer, counted }).reasons).toEqual({ unknown_tier: '0.001' });
  expect(reasonsOf({ lines: dearer, counted, days: [day({ tiers: ['priority'] })] }).reasons).toEqual({
    other_price: '0.001',
  });
});

test('names calls that failed after the vendor counted them, if it counted more requests', () => {
  const lines = [line({ amount: '0.001500000', quantity: 1500 })];
  const counted = (requests: number) => [{ day: '2026-11-02', model: 'gpt-6-astra', requests, counts: {} }];
  const days = [day({ failed: 1 })];
  expect(reasonsOf({ lines, days, counted: counted(3) }).reasons).toEqual({ failed_after_count: '0.0005' });
  expect(reasonsOf({ lines, days }).reasons).toEqual({ failed_after_count: '0.0005' });
  expect(reasonsOf({ lines, days, counted: counted(2) }).reasons).toEqual({ unexplained: '0.0005' });
  expect(reasonsOf({ lines }).reasons).toEqual({ unexplained: '0.0005' });
});

test('names estimates up to what was estimated', () => {
  const lines = [line({ amount: '0.001500000', quantity: 1500 })];
  expect(reasonsOf({ lines, uses: [use({ estimated: '0.0005' })] }).reasons).toEqual({ estimated: '0.0005' });
  expect(reasonsOf({ lines, uses: [use({ estimated: '0.0002' })] }).reasons).toEqual({
    estimated: '0.0002',
    unexplained: '0.0003',
  });
  const less = [line({ amount: '0.000700000', quantity: 700 })];
  expect(reasonsOf({ lines: less, uses: [use({ estimated: '0.001' })] }).reasons).toEqual({ estimated: '-0.0003' });
});

test('divides a difference of quantity and price', () => {
  const lines = [line({ amount: '0.003000000', quantity: 1500 })];
  expect(reasonsOf({ lines, days: [day({ failed: 1 })] })).toEqual({
    difference: '0.002',
    reasons: { other_price: '0.001', failed_after_count: '0.001' },
  });
});

test('names what is below the last digit of the report', () => {
  const lines = [line({ amount: '0.00099' }), line({ billedClass: 'output', amount: '0.1' })];
  const uses = [use({ cost: '0.000999' }), use({ billedClass: 'output', cost: '0.10001' })];
  expect(reasonsOf({ lines, uses }).reasons).toEqual({ rounding: '-0.000009', unexplained: '-0.00001' });
});

test('compares all classes of a model together where the report does not separate them', () => {
  const uses = [use(), use({ billedClass: 'output', cost: '0.02' })];
  const lines = [line({ billedClass: 'all', amount: '0.021' })].map(withoutQuantity);
  expect(compared({ uses, lines }).rows.map(({ billedClass, difference }) => [billedClass, difference])).toEqual([
    ['all', '0'],
  ]);
});

test.for([
  ['thinking as output', ['output', 'reasoning'], ['output'], ['output']],
  ['compaction as input', ['input', 'compactionIn'], ['input'], ['input']],
  ['compaction apart', ['input', 'compactionIn'], ['input', 'compactionIn'], ['compactionIn', 'input']],
  ['lifetimes apart', ['cacheWrite', 'cacheWrite1h'], ['cacheWrite', 'cacheWrite1h'], ['cacheWrite', 'cacheWrite1h']],
  ['lifetimes only here', ['cacheWrite30m', 'cacheWrite12h'], ['cacheWrite'], ['cacheWrite']],
  ['lifetimes only there', ['cacheWrite'], ['cacheWrite', 'cacheWrite1h'], ['cacheWrite']],
] as const)('compares %s', ([, ours, theirs, classes]) => {
  const uses = ours.map((billedClass) => use({ billedClass }));
  const lines = theirs.map((billedClass) => line({ billedClass }));
  expect(compared({ uses, lines }).rows.map(({ billedClass }) => billedClass)).toEqual(classes);
});

test('adds up differences of classes, days and models, each without its sign', () => {
  const cost = '0.5';
  const opposite = [line({ amount: '0.6' }), line({ billedClass: 'output', amount: '0.4' })];
  expect(compared({ uses: [use({ cost }), use({ billedClass: 'output', cost })], lines: opposite }).ratio).toBe(0.2);
  // One day early, and not by requests around midnight.
  expect(compared({ uses: [use({ cost })], lines: [line({ day: '2026-11-01', amount: cost })] }).ratio).toBe(2);
  // What the report rounds is no difference.
  const rounded = [line({ amount: '0.00' }), line({ billedClass: 'output', amount: '0.01' })];
  const exact = [use({ cost: '0.004' }), use({ billedClass: 'output', cost: '0.006' })];
  expect(compared({ uses: exact, lines: rounded })).toMatchObject({ reasons: {}, ratio: 0 });
});

describe('amounts without a model', () => {
  const search = withoutQuantity(line({ billedClass: 'webSearches', amount: '0.03' }));
  const { model: _model, ...unnamed } = search;
  const searched = (model: string, count: number): CountedUse => ({
    day: '2026-11-02',
    model,
    keyId: 'key_ours',
    counts: { webSearches: count },
  });
  const ours = [
    use({ billedClass: 'webSearches', cost: '0.01', quantity: 1 }),
    use({ model: 'other', billedClass: 'webSearches', cost: '0.02', quantity: 2 }),
  ];
  const rowsOf = (sides: Sides) =>
    compared(sides).rows.map(({ model, billedClass, theirs, difference }) => [model, billedClass, theirs, difference]);

  test.each([undefined, { key_ours: '' }])('are divided by what the models used, with keys: %j', (keys) => {
    const sides = { uses: ours, lines: [unnamed], counted: [searched('gpt-6-astra', 1), searched('other', 2)] };
    expect(rowsOf({ ...sides, ...(keys && { names: { keys } }) })).toEqual([
      ['gpt-6-astra', 'webSearches', '0.01', '0'],
      ['other', 'webSearches', '0.02', '0'],
    ]);
  });

  test('of which nothing was counted are compared in sum', () => {
    const uses = [use(), ...ours, use({ model: 'other', billedClass: 'reasoning' })];
    const lines = [line(), unnamed, line({ model: 'other', billedClass: 'output', amount: '0.001' })];
    expect(rowsOf({ uses, lines })).toEqual([
      ['', 'webSearches', '0.03', '0'],
      ['gpt-6-astra', 'input', '0.001', '0'],
      ['other', 'output', '0.001', '0'],
    ]);
  });

  test('and without a class are compared with everything of their day', () => {
    const { model: _all, ...whole } = withoutQuantity(line({ billedClass: 'all', amount: '0.032' }));
    expect(rowsOf({ uses: [use(), use({ billedClass: 'output' }), ...ours], lines: [whole] })).toEqual([
      ['', 'all', '0.032', '0'],
    ]);
  });
});

test('adds up differences of models, and is 1 where only one side has anything', () => {
  const uses = [use(), use({ model: 'other' })];
  const lines = [line({ amount: '0.0012' }), line({ model: 'other', amount: '0.0008' })];
  expect(compared({ uses, lines }).ratio).toBe(0.2);
  expect(compared({ uses: [], days: [], lines: [line()] }).ratio).toBe(1);
  expect(compared({ uses: [], days: [], lines: [] }).ratio).toBe(0);
});

const amount = fc.integer({ min: 0, max: 1_000_000_000 }).map((nano) => `${nano / 1e9}`.replace(/e.*$/, ''));
const place = {
  day: fc.constantFrom('2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'),
  model: fc.constantFrom('gpt-6-astra', 'other'),
  billedClass: fc.constantFrom('input', 'output', 'reasoning', 'cacheWrite', 'cacheWrite1h', 'all'),
};
const quantity = fc.integer({ min: 0, max: 5_000 });

test('always explains exactly the difference', () => {
  const ours = fc.record({
    ...place,
    keyId: fc.constantFrom('', 'provider_key_1'),
    cost: amount,
    quantity,
    estimated: amount,
    unpriced: quantity,
    fromDayBefore: amount,
    toDayAfter: amount,
  });
  const theirs = fc.record({ ...place, amount, quantity, keyId: fc.constantFrom('key_a', 'key_b') });
  const facts = fc.array(
    fc.record({
      day: place.day,
      model: place.model,
      requests: quantity,
      failed: fc.integer({ min: 0, max: 2 }),
      unpriced: fc.integer({ min: 0, max: 2 }),
      tiers: fc.constant<string[]>([]),
    }),
  );
  fc.assert(
    fc.property(fc.array(ours), fc.array(theirs), facts, (uses, lines, days) => {
      const inPeriod = lines.filter((each) => each.day >= '2026-11-01' && each.day <= '2026-11-03');
      const found = compared({ uses, lines: inPeriod, days, names: { keys: { key_a: 'provider_key_1' } } });
      for (const { difference, reasons, ours: own, theirs: billed } of [found, ...found.rows]) {
        const explained = Object.values(reasons).reduce((sum, each) => sum + billedAmount(each), 0n);
        expect(explained).toBe(billedAmount(difference));
        expect(billedAmount(billed) - billedAmount(own)).toBe(billedAmount(difference));
      }
    }),
  );
});
