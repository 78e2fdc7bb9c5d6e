import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueText } from './issue-text.ts';

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is missing'],
  [z.string(), 1, 'must be a string'],
  [z.array(z.string()), 'a', 'must be a list'],
  [z.int(), 1.5, 'must be an integer'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.string().max(100), 'x'.repeat(101), 'must have at most 100 characters'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(12), 'short', 'must have at least 12 characters'],
  [z.array(z.string()).min(1), [], 'must not be empty'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
  [z.number().max(2), 3, 'must be at most 2'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.number().gt(0), 0, 'must be more than 0'],
  [z.number().multipleOf(2), 3, 'must be a multiple of 2'],
  [z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
  [z.literal('a'), 'c', 'must be "a"'],
  [z.strictObject({}), { rpm: 1 }, 'has the unknown member "rpm"'],
  [z.strictObject({}), { rpm: 1, tpm: 1 }, 'has the unknown members "rpm", "tpm"'],
  [z.strictObject({}), { a: 1, b: 1, c: 1, d: 1, e: 1 }, 'has the unknown members "a", "b", "c", "d", "e"'],
  [
    z.strictObject({}),
    { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 },
    'has the unknown members "a", "b", "c", "d", "e" and 2 more',
  ],
  [z.iso.datetime(), 'soon', 'must be a date and time with a time zone, such as 2030-01-31T12:00:00Z'],
  [z.string().regex(/^a$/), 'b', 'has an invalid format'],
  [z.string().regex(/^a$/, 'must be a'), 'b', 'must be a'],
  [z.record(z.string().max(1), z.string()), { long: 'a' }, 'must have at most 1 character'],
  [z.union([z.string(), z.number()]), true, 'is not valid'],
])('describes an issue of %# in words', (schema, value, text) => {
  expect(schema.safeParse(value, { error: issueText }).error?.issues[0]?.message).toBe(text);
});
