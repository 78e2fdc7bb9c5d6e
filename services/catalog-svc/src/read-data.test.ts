import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '@tallyport/service-kit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readDataFiles } from './read-data.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
});
afterEach(() => rm(folder, { recursive: true }));

const model = (id: string, changes: object = {}) => ({
  id,
  name: id,
  created: 1,
  description: 'A model.',
  input: ['text'],
  output: ['text'],
  features: [],
  offers: [{ provider: 'alpha', model: id, pricing: {} }],
  ...changes,
});

async function problemWith(files: Record<string, unknown>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const thrown: unknown = await readDataFiles(folder).then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof StartError ? thrown.message : String(thrown);
}

const pricing = { prompt: '1' };
const later = '.prices.1.from: must be later than that of the price before it, 2026-11-22T00:00:00Z.';
const brokenHistories = [
  {
    what: 'a price that takes force before the one before it',
    prices: [
      { from: '2026-11-22', pricing },
      { from: '2026-11-21', pricing },
    ],
    message: later,
  },
  {
    what: 'two prices from the same moment',
    prices: [
      { from: '2026-11-22', pricing },
      { from: '2026-11-22T00:00:00Z', pricing },
    ],
    message: later,
  },
  {
    what: 'a further price without a date',
    prices: [{ pricing }, { pricing }],
    message: '.prices.1.from: is missing: only the first price needs no date.',
  },
  {
    what: 'a date that is none',
    prices: [{ from: '22/11/2026', pricing }],
    message: '.prices.0.from: must be a date such as 2026-10-14 or 2026-10-14T00:00:00Z.',
  },
  { what: 'no price', prices: [], message: '.prices: Too small: expected array to have >=1 items.' },
  {
    what: 'prices with dates beside one without',
    prices: [{ pricing }],
    offer: { pricing },
    message: ': must be without pricing and priceTiers, because it has prices with dates.',
  },
  {
    what: 'neither a price nor prices with dates',
    prices: undefined,
    message: ': must have prices: pricing, or prices with dates.',
  },
];

test.each<[string, Record<string, unknown>, string]>([
  ['not JSON', { 'a.json': '{' }, 'The catalogue file a.json is not JSON.'],
  [
    'a number as a price',
    {
      'a.json': {
        family: 'f',
        models: [model('m', { offers: [{ provider: 'p', model: 'm', pricing: { prompt: 1 } }] })],
      },
    },
    'The catalogue file a.json is invalid: models.m.offers.p.pricing.prompt: must be USD as decimal text in quotes, such as "0.0000025".',
  ],
  [
    'a misspelt member',
    { 'a.json': { family: 'f', models: [model('m', { contxtLength: 5 })] } },
    'The catalogue file a.json is invalid: models.m: Unrecognized key: "contxtLength".',
  ],
  [
    'no offer',
    { 'a.json': { family: 'f', models: [model('m', { offers: [] })] } },
    'The catalogue file a.json is invalid: models.m.offers: Too small: expected array to have >=1 items.',
  ],
  ...brokenHistories.map(({ what, prices, message, offer = {} }): [string, Record<string, unknown>, string] => [
    what,
    {
      'a.json': {
        family: 'f',
        models: [model('m'), model('n', { offers: [{ provider: 'p', model: 'n', prices, ...offer }] })],
      },
    },
    `The catalogue file a.json is invalid: models.n.offers.p${message}`,
  ]),
  [
    'a name twice',
    {
      'a.json': { family: 'f', models: [model('m')] },
      'b.json': { family: 'g', models: [model('n', { aliases: ['m'] })] },
    },
    'The catalogue has the model name m twice.',
  ],
])('%s stops the start', async (_name, files, message) => {
  expect(await problemWith(files)).toBe(message);
});
