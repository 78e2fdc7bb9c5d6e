import { expect, test } from 'vitest';
import { toOpenApiSchema } from './schema.ts';

const string = { type: 'string' };

test.each<[string, Record<string, unknown>, unknown]>([
  [
    'keeps known keywords',
    { type: 'string', format: 'date', enum: ['a'] },
    { type: 'string', format: 'date', enum: ['a'] },
  ],
  [
    'drops unknown keywords',
    { $schema: 'x', type: 'object', additionalProperties: false, properties: { a: string }, required: ['a'] },
    { type: 'object', properties: { a: string }, required: ['a'] },
  ],
  [
    'keeps a property named like a keyword',
    { type: 'object', properties: { $ref: string } },
    { type: 'object', properties: { $ref: string } },
  ],
  ['items', { type: 'array', items: { type: 'string', exclusiveMinimum: 1 } }, { type: 'array', items: string }],
  ['a constant', { const: 5 }, { enum: ['5'] }],
  ['or nothing', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  ['several types', { type: ['string', 'number'] }, { anyOf: [string, { type: 'number' }] }],
  ['one of', { oneOf: [string, { const: 'a' }] }, { anyOf: [string, { enum: ['a'] }] }],
  ['all of', { allOf: [{ type: 'object' }, { title: 't' }] }, { type: 'object', title: 't' }],
  [
    'a reference',
    { type: 'object', properties: { a: { $ref: '#/$defs/A', description: 'd' } }, $defs: { A: string } },
    { type: 'object', properties: { a: { type: 'string', description: 'd' } } },
  ],
  ['drops an unresolved reference', { $ref: '#/$defs/B', title: 't' }, { title: 't' }],
])('%s', (_name, schema, expected) => {
  expect(toOpenApiSchema(schema)).toEqual(expected);
});

test('ends at circular references', () => {
  const schema = { $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } } }, $ref: '#/$defs/A' };
  const text = JSON.stringify(toOpenApiSchema(schema));
  expect(text.match(/properties/g)?.length).toBe(17);
});
