import { expect, test } from 'vitest';
import type { ReferenceSchema } from './document.ts';
import { boundsText, typeText } from './type-text.ts';

test.each<[string, ReferenceSchema]>([
  ['string', { type: 'string' }],
  ['string or null', { type: ['string', 'null'] }],
  ['string or null', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  ['"a" or "b"', { enum: ['a', 'b'] }],
  [
    '1 or 2 or 3 or 4 or 5 or 6 or 7 or 8 or 9 or 10 or 11 or 12',
    { enum: Array.from({ length: 12 }, (_, at) => at + 1) },
  ],
  [
    '1 or 2 or 3 or 4 or 5 or 6 or 7 or 8 or 9 or 10 or 11 or 12 or 1 more',
    { enum: Array.from({ length: 13 }, (_, at) => at + 1) },
  ],
  ['true', { const: true }],
  ['array of Model', { type: 'array', items: { $ref: '#/components/schemas/Model' } }],
  ['map to number', { type: 'object', additionalProperties: { type: 'number' } }],
  ['object', { type: 'object', properties: { a: {} } }],
  ['any value', {}],
])('the type is %s', (text, schema) => {
  expect(typeText(schema)).toBe(text);
});

test.each<[string, ReferenceSchema]>([
  ['', { type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }],
  ['1 to 5', { minimum: 1, maximum: 5 }],
  ['at least 0', { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }],
  ['more than 0, less than 1', { exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  ['1 to 100 characters', { minLength: 1, maxLength: 100 }],
  ['at most 4 items', { maxItems: 4 }],
  ['date-time, default "all"', { format: 'date-time', default: 'all' }],
])('the bounds are "%s"', (text, schema) => {
  expect(boundsText(schema)).toBe(text);
});
