import { expect, test } from 'vitest';
import { sampleOf } from './sample.ts';

test.each<[string, unknown, unknown]>([
  [
    'required members only',
    { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
    { a: 'simulated a' },
  ],
  [
    'nested objects and lists',
    { properties: { l: { type: 'array', items: { type: 'number' }, minItems: 2 } }, required: ['l'] },
    { l: [1, 1] },
  ],
  [
    'enum, const and default',
    {
      type: 'object',
      properties: { e: { enum: ['x', 'y'] }, c: { const: 3 }, d: { type: 'integer', default: 9 } },
      required: ['e', 'c', 'd'],
    },
    { e: 'x', c: 3, d: 9 },
  ],
  ['limits of numbers', { type: 'array', items: { type: 'integer', minimum: 5 } }, [5]],
  ['limits of strings', { type: 'string', maxLength: 4 }, 'simu'],
  ['formats', { type: 'string', format: 'date' }, '2026-01-01'],
  ['alternatives', { anyOf: [{ type: 'boolean' }, { type: 'null' }] }, true],
  ['several types', { type: ['integer', 'null'] }, 1],
  ['references', { $ref: '#/$defs/x', $defs: { x: { type: 'boolean' } } }, true],
  ['nothing said', {}, 'simulated value'],
  ['no schema', undefined, null],
])('%s', (_, schema, sample) => {
  expect(sampleOf(schema)).toEqual(sample);
});

test('ends for a recursive schema', () => {
  const schema = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] };
  expect(JSON.stringify(sampleOf(schema)).length).toBeLessThan(300);
});

test('bounds the value for a small schema that requires an immense one', () => {
  const lists = (depth: number): object =>
    depth === 0 ? { const: 'x'.repeat(1_000) } : { type: 'array', minItems: 100, items: lists(depth - 1) };
  const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
  const itself = { $ref: '#' };
  const wide = { type: 'object', required: names, properties: Object.fromEntries(names.map((name) => [name, itself])) };
  for (const schema of [lists(10), wide, { type: 'string', minLength: 1e9 }])
    expect(JSON.stringify(sampleOf(schema)).length).toBeLessThan(64 * 1024);
});
