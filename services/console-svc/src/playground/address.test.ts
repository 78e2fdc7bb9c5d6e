import { expect, test } from 'vitest';
import { playgroundAddress, tryAddress, valuesOfAddress } from './address.ts';

const model = (id: string, output: string, available = true) => ({
  id,
  available,
  architecture: { input_modalities: ['text'], output_modalities: [output] },
});

test.each([
  [[model('a/b', 'text')], '/d/playground?models=a%2Fb'],
  [[model('i', 'image')], '/d/playground/images?models=i'],
  [[model('i', 'image'), model('t', 'text')], '/d/playground?models=t'],
  [['a', 'b', 'c', 'd'].map((id) => model(id, 'text')), '/d/playground?models=a%2Cb%2Cc'],
  [[model('s', 'speech')], '/d/playground/speech?models=s'],
  [[model('e', 'embeddings')], '/d/playground/embeddings?models=e'],
  [[model('away', 'text', false), model('film', 'video')], undefined],
])('models lead to the playground that can ask them', (models, address) => {
  expect(tryAddress('/d', models)).toBe(address);
});

test('an address has models and the system text, and fills the form', () => {
  const address = playgroundAddress({ base: '/d', kind: 'chat' }, ['a/b', 'c'], 'Be <i>short</i>.');
  const query = Object.fromEntries(new URL(address, 'http://x').searchParams);
  expect(valuesOfAddress(query)).toEqual({ model: 'a/b', model2: 'c', system: 'Be <i>short</i>.' });
  expect(playgroundAddress({ base: '/d', kind: 'speech' }, [])).toBe('/d/playground/speech');
  expect(valuesOfAddress({ models: ',b,c,d', prompt: 'Hi' })).toEqual({ model2: 'b', model3: 'c', prompt: 'Hi' });
});
