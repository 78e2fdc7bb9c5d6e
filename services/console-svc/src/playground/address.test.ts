import { expect, test } from 'vitest';
import { tryAddress } from './address.ts';

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
  [[model('away', 'text', false), model('speech', 'audio')], undefined],
])('models lead to the playground that can ask them', (models, address) => {
  expect(tryAddress('/d', models)).toBe(address);
});
