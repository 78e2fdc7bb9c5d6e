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
    'The catalogue file a.json is invalid: models.0.offers.0.pricing.prompt: must be USD as decimal text in quotes, such as "0.0000025".',
  ],
  [
    'a misspelt member',
    { 'a.json': { family: 'f', models: [model('m', { contxtLength: 5 })] } },
    'The catalogue file a.json is invalid: models.0: Unrecognized key: "contxtLength".',
  ],
  [
    'no offer',
    { 'a.json': { family: 'f', models: [model('m', { offers: [] })] } },
    'The catalogue file a.json is invalid: models.0.offers: Too small: expected array to have >=1 items.',
  ],
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
