import { expect, test } from 'vitest';
import { readCsvReport } from './csv-report.ts';
import { readCsv } from './read-csv.ts';
import { readMap } from './read-map.ts';

const period = { from: '2026-11-01', to: '2026-11-30' };

test('reads cells with quotes, commas, line ends and a mark at the beginning', () => {
  expect(readCsv('\uFEFFa,b\r\n"x, ""y""",\n\n"two\nlines",z')).toEqual([
    ['a', 'b'],
    ['x, "y"', ''],
    ['two\nlines', 'z'],
  ]);
  expect(readCsv('')).toEqual([]);
  expect(readCsv('a\n')).toEqual([['a']]);
  expect(readCsv('a,')).toEqual([['a', '']]);
});

const map = readMap(
  JSON.stringify({
    columns: {
      day: 'lineItem/UsageStartDate',
      amount: 'lineItem/UnblendedCost',
      class: 'lineItem/UsageType',
      model: 'product/model',
      quantity: 'lineItem/UsageAmount',
      currency: 'lineItem/CurrencyCode',
      key: 'lineItem/ResourceId',
    },
    only: { 'lineItem/ProductCode': ['AmazonBedrock'] },
    classes: { special: 'cacheRead' },
  }),
);
const head =
  'lineItem/UsageStartDate,lineItem/ProductCode,product/model,lineItem/UsageType,lineItem/UsageAmount,lineItem/UnblendedCost,lineItem/CurrencyCode,lineItem/ResourceId';

test('reads the columns that the map names, of the rows and days that are meant', () => {
  const csv = [
    head,
    '2026-11-02T00:00:00Z,AmazonBedrock,Claude Sonnet 5,USE1-input-tokens,1000,0.0030000001,USD,arn:a',
    '2026-11-02T00:00:00Z,AmazonBedrock,,special,1.5,1e-3,USD,',
    '2026-11-02T00:00:00Z,AmazonS3,,Storage,1,99,USD,',
    '2026-10-31T00:00:00Z,AmazonBedrock,Claude Sonnet 5,USE1-input-tokens,1,1,USD,',
  ].join('\n');
  expect(readCsvReport(csv, map, period)).toEqual({
    lines: [
      {
        day: '2026-11-02',
        model: 'Claude Sonnet 5',
        billedClass: 'input',
        keyId: 'arn:a',
        amount: '0.0030000001',
        quantity: 1000,
      },
      { day: '2026-11-02', billedClass: 'cacheRead', amount: '1e-3' },
    ],
    uses: [],
  });
});

const least = readMap('{"columns":{"day":"Date","amount":"Cost","currency":"Currency"}}');

test.for([
  ['Date,Cost\n', "The CSV has no column 'Currency'. Change the map."],
  ['Date,Cost,Currency\n2026-11-01,1,EUR', 'Row 2 of the CSV is not in USD.'],
  ['Date,Cost,Currency\n11/01/2026,1,USD', "Row 2 of the CSV has no day in 'Date'."],
  ['Date,Cost,Currency\n2026-11-01,"1,5",USD', "Row 2 of the CSV has no amount in 'Cost'."],
] as const)('refuses %j with a sentence', ([csv, problem]) => {
  expect(() => readCsvReport(csv, least, period)).toThrow(problem);
});

test.for([
  ['{', 'The map is not JSON.'],
  ['{"columns":{"day":"d"}}', "The map: 'columns.amount' "],
  ['{"column":{}}', 'Unrecognized key: "column"'],
] as const)('refuses the map %j with a sentence', ([text, problem]) => {
  expect(() => readMap(text)).toThrow(problem);
});

test('needs the columns', () => {
  expect(() => readCsvReport('a\n', readMap('{}'), period)).toThrow("The map needs 'columns'");
});

test('refuses names that are too long to be stored', () => {
  const named = readMap('{"columns":{"day":"Date","amount":"Cost","model":"Model","class":"Class","key":"Key"}}');
  const [most, more] = ['n'.repeat(500), 'n'.repeat(501)];
  const read = (...cells: string[]) =>
    readCsvReport(`Date,Cost,Model,Class,Key\n2026-11-01,1,${cells.join(',')}`, named, period);
  expect(read(most, most, most).lines).toHaveLength(1);
  expect(() => read(more, '', '')).toThrow("Row 2 of the CSV has more than 500 characters in 'Model'.");
  expect(() => read('', more, '')).toThrow("Row 2 of the CSV has more than 500 characters in 'Class'.");
  expect(() => read('', '', more)).toThrow("Row 2 of the CSV has more than 500 characters in 'Key'.");
});
