import { expect, test } from 'vitest';
import { withFlatRoot } from './flat-root.ts';

const text = { type: 'string' };

test('returns the same object for a schema without alternatives at the top level', () => {
  const schema = { type: 'object', properties: { a: { anyOf: [text] } } };
  expect(withFlatRoot(schema)).toBe(schema);
});

test('merges the members of all parts and describes the rule', () => {
  const schema = {
    description: 'A or b.',
    properties: { c: text },
    required: ['c'],
    allOf: [{ properties: { d: text }, required: ['d', 'c'] }],
    anyOf: [{ properties: { a: text }, required: ['a'] }, { properties: { b: text } }, true],
  };
  const { allOf, anyOf } = schema;
  expect(withFlatRoot(schema)).toEqual({
    type: 'object',
    description: `A or b.\n\nConstraints (JSON Schema): ${JSON.stringify({ allOf, anyOf })}`,
    properties: { a: text, b: text, c: text, d: text },
    required: ['d', 'c'],
  });
});
