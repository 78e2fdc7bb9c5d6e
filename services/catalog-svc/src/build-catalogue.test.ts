import { catalogueSchema } from '@switchyard/contracts';
import { expect, test } from 'vitest';
import { buildCatalogue } from './build-catalogue.ts';
import { type DataFile, dataFileSchema } from './data-file.ts';

const model = (id: string, changes: object = {}) => ({
  id,
  name: id,
  created: 1_700_000_000,
  description: 'A model.',
  input: ['text'],
  output: ['text'],
  features: ['streaming', 'tools'],
  offers: [{ provider: 'alpha', model: `${id}-2026`, pricing: { prompt: '0.000001', completion: '0.000002' } }],
  ...changes,
});

const fileOf = (family: string, models: object[], changes: object = {}): DataFile =>
  dataFileSchema.parse({ family, models, ...changes });

test('an entry becomes a model with its offers', () => {
  const entry = model('swift', { contextLength: 1000, maxOutput: 100, deprecatedAt: '2026-10-14T00:00:00Z' });
  const { models } = buildCatalogue([fileOf('makers', [entry])], { sandbox: false });
  expect(models).toEqual([
    {
      id: 'swift',
      name: 'swift',
      aliases: [],
      created: 1_700_000_000,
      description: 'A model.',
      family: 'makers',
      inputModalities: ['text'],
      outputModalities: ['text'],
      contextLength: 1000,
      jsonOutput: false,
      structuredOutputs: false,
      free: false,
      deprecatedAt: '2026-10-14T00:00:00Z',
      stability: 'stable',
      supportedParameters: [
        'frequency_penalty',
        'max_completion_tokens',
        'max_tokens',
        'presence_penalty',
        'seed',
        'stop',
        'stream',
        'stream_options',
        'temperature',
        'tool_choice',
        'tools',
        'top_p',
        'user',
      ],
      offers: [
        {
          providerId: 'alpha',
          modelName: 'swift-2026',
          pricing: { prompt: '0.000001', completion: '0.000002' },
          streaming: true,
          vision: false,
          tools: true,
          parallelToolCalls: false,
          reasoning: false,
          cancellation: true,
          stability: 'stable',
          contextLength: 1000,
          maxOutput: 100,
        },
      ],
    },
  ]);
});

test('simulated models are there only while the sandbox is on', () => {
  const files = [fileOf('makers', [model('swift')]), fileOf('sandbox', [model('pretend')], { simulated: true })];
  const ids = (sandbox: boolean) => buildCatalogue(files, { sandbox }).models.map(({ id }) => id);
  expect(ids(false)).toEqual(['swift']);
  expect(ids(true)).toEqual(['swift', 'pretend']);
});

test('the version changes with the content only', () => {
  const version = (...models: object[]) => buildCatalogue([fileOf('makers', models)], { sandbox: false }).version;
  expect(version(model('swift'))).toBe(version(model('swift')));
  expect(version(model('swift'))).not.toBe(version(model('swift', { description: 'Another.' })));
});

test('an offer may differ from its model', () => {
  const offers = [{ provider: 'alpha', model: 'x', pricing: {}, features: ['vision'], contextLength: 5 }];
  const { models } = buildCatalogue([fileOf('makers', [model('swift', { offers, contextLength: 9 })])], {
    sandbox: false,
  });
  expect(models[0]?.offers[0]).toMatchObject({ vision: true, tools: false, streaming: false, contextLength: 5 });
  expect(models[0]).toMatchObject({ free: true, contextLength: 9 });
});

test('what is built fits the contract', () => {
  const catalogue = buildCatalogue([fileOf('makers', [model('swift')])], { sandbox: true });
  expect(catalogueSchema.parse(catalogue)).toEqual(catalogue);
});
