import { expect, test } from 'vitest';
import { currentSchema, subsetSchema } from './schema-dialects.ts';

const note = (constraints: object) => `Constraints (JSON Schema): ${JSON.stringify(constraints)}`;

test.each<[string, Record<string, unknown>, unknown, unknown]>([
  [
    'a pattern',
    { type: 'string', pattern: '^x$' },
    { type: 'string', description: note({ pattern: '^x$' }) },
    { type: 'string', pattern: '^x$' },
  ],
  [
    'bounds',
    { type: 'integer', minimum: 1, exclusiveMaximum: 5, description: 'Size.' },
    { type: 'integer', minimum: 1, description: `Size.\n\n${note({ exclusiveMaximum: 5 })}` },
    { type: 'integer', minimum: 1, description: `Size.\n\n${note({ exclusiveMaximum: 5 })}` },
  ],
  [
    'an enum of numbers',
    { type: 'integer', enum: [1, 2] },
    { type: 'integer', enum: [1, 2] },
    { type: 'integer', description: note({ enum: [1, 2] }) },
  ],
  [
    'a constant',
    { const: 'a' },
    { type: 'string', description: note({ const: 'a' }) },
    { type: 'string', enum: ['a'] },
  ],
  [
    'a closed object and a map',
    {
      type: 'object',
      additionalProperties: false,
      properties: { a: { type: 'object', additionalProperties: { type: 'string' } } },
    },
    {
      type: 'object',
      additionalProperties: false,
      properties: { a: { type: 'object', additionalProperties: { type: 'string' } } },
    },
    {
      type: 'object',
      properties: { a: { type: 'object', description: note({ additionalProperties: { type: 'string' } }) } },
    },
  ],
  [
    'keywords that do not describe values',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', $comment: 'x', type: 'string' },
    { type: 'string' },
    { type: 'string' },
  ],
  ['a schema that cannot be read', { properties: { a: true } }, { properties: { a: true } }, { properties: { a: {} } }],
])('%s', (_title, schema, current, subset) => {
  expect([currentSchema(schema), subsetSchema(schema)]).toEqual([current, subset]);
});
