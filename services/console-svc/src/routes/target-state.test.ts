import type { Route } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import { obstaclesOf } from './target-state.ts';

const provider = (providerId: string, available: boolean) => ({
  providerId,
  modelName: 'm',
  pricing: {},
  available,
  vision: true,
  tools: true,
  reasoning: true,
  streaming: true,
});
const model = (id: string, members: Partial<CatalogueModel> = {}): CatalogueModel => ({
  id,
  name: id,
  family: 'family',
  description: '',
  aliases: [`${id}-latest`],
  architecture: { input_modalities: [], output_modalities: [] },
  available: true,
  providers: [provider('openai', true), provider('azure', false)],
  pricing: {},
  per_request_limits: {},
  structured_outputs: true,
  json_output: true,
  ...members,
});

test('says of each model of the routes why it cannot be called', () => {
  const route: Route = {
    targets: ['a', 'a-latest', 'openai/a', 'azure/a', 'xai/a'].map((name) => ({ model: name, weight: 1 })),
    when: [{ if: 'true', use: ['off'] }],
    then: ['gone', 'fast'],
    onContentFilter: 'stop',
  };
  const models = [model('a'), model('off', { available: false }), model('fast', { route: true })];
  expect(Object.fromEntries(obstaclesOf([route], models))).toEqual({
    a: undefined,
    'a-latest': undefined,
    'openai/a': undefined,
    'azure/a': 'not callable',
    'xai/a': 'unknown model',
    off: 'not callable',
    gone: 'unknown model',
    fast: 'unknown model',
  });
});
