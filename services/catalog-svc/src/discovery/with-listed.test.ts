import { expect, test } from 'vitest';
import { dataFileSchema } from '../data-file.ts';
import { gatherIngredients } from '../ingredients.ts';
import { withListed } from './with-listed.ts';

const written = {
  name: 'Written',
  description: 'A model.',
  input: ['text'],
  output: ['text'],
  features: ['streaming'],
};
const base = gatherIngredients([
  dataFileSchema.parse({
    family: 'birds',
    models: [
      { ...written, id: 'swift', aliases: ['quick'], offers: [{ provider: 'ollama', model: 'swift', pricing: {} }] },
    ],
  }),
]);

test('only adds models that are not in the catalogue; a name that is taken gets its provider as a prefix', () => {
  const listed = new Map([
    [
      'ollama',
      [{ name: 'swift:latest' }, { name: 'llama3.2:3b', created: 1_700_000_000 }, { name: 'nomic-embed-text' }],
    ],
    ['own', [{ name: 'llama3.2:3b' }, { name: 'quick' }, { name: 'swift', contextLength: 4096 }]],
  ]);
  const { models } = withListed(base, listed);
  expect(
    [...models.values()].map(({ id, offers }) => [id, ...offers.map(({ provider, model }) => `${provider} ${model}`)]),
  ).toEqual([
    ['swift', 'ollama swift'],
    ['llama3.2:3b', 'ollama llama3.2:3b'],
    ['nomic-embed-text', 'ollama nomic-embed-text'],
    ['own/llama3.2:3b', 'own llama3.2:3b'],
    ['own/quick', 'own quick'],
    ['own/swift', 'own swift'],
  ]);
  expect([...models.values()].filter(({ output }) => output.includes('embeddings')).map(({ id }) => id)).toEqual([
    'nomic-embed-text',
  ]);
  expect([models.get('llama3.2:3b')?.created, models.get('own/swift')?.contextLength]).toEqual([1_700_000_000, 4096]);
});

test("an offer that a self-hosted server does not list is removed; an operator's provider may have more than it lists", () => {
  const providers = new Map([['own', { id: 'own', baseUrl: 'http://127.0.0.1/v1', keyVariable: 'OWN' }]]);
  const offers = ['ollama', 'own'].map((provider) => ({ provider, model: 'swift', pricing: {} }));
  const swift = base.models.get('swift')!;
  const ingredients = {
    ...base,
    providers,
    models: new Map([
      ['swift', swift],
      ['both', { ...swift, id: 'both', aliases: [], offers }],
    ]),
  };
  const { models } = withListed(
    ingredients,
    new Map([
      ['ollama', []],
      ['own', []],
    ]),
  );
  expect([...models.values()].map((model) => [model.id, ...model.offers.map(({ provider }) => provider)])).toEqual([
    ['both', 'own'],
  ]);
});

test('an empty list changes nothing', () => {
  expect(withListed(base, new Map())).toBe(base);
});
