import { describe, expect, test } from 'vitest';
import { type FieldSpec, fieldValues, inputOf } from './field-spec.ts';
import { budgetFields, limitFields } from './limit-fields.ts';

const fields: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true },
  { name: 'expiresAt', label: 'Works until', kind: 'time' },
  { name: 'allowedModels', label: 'Models', kind: 'lines' },
  { name: 'admin', label: 'Admin', kind: 'flag' },
  ...limitFields,
  ...budgetFields,
];

describe('the fields of a form', () => {
  test('what is filled in is told to the API in its own words, what is empty is left out', () => {
    const written = {
      name: ' reports ',
      expiresAt: '2030-01-31T23:59',
      allowedModels: 'some/model, other/model\r\n\r\n third',
      admin: 'yes',
      'limits.requestsPerMinute.chat': '60',
      'limits.concurrency': '0',
      'budget.amount': '2.50',
      'budget.period': 'week',
      'limits.tokensPerMinute': '',
    };
    expect(inputOf(fields, written)).toEqual({
      name: 'reports',
      expiresAt: '2030-01-31T23:59:00.000Z',
      allowedModels: ['some/model', 'other/model', 'third'],
      admin: true,
      limits: { requestsPerMinute: { chat: 60 }, concurrency: 0 },
      budget: { amount: '2.50', period: 'week' },
    });
  });

  test('a member whose fields were all emptied is taken away, and others stay whole', () => {
    const written = { name: 'reports', 'budget.amount': '', 'budget.period': 'week', 'limits.concurrency': '5' };
    expect(inputOf(fields, written, { emptied: true })).toEqual({
      name: 'reports',
      expiresAt: null,
      allowedModels: null,
      admin: null,
      budget: null,
      limits: { concurrency: 5 },
    });
  });

  test('what a form shows of a record says the same when it is sent back', () => {
    const record = {
      name: 'reports',
      expiresAt: '2030-01-31T23:59:00.000Z',
      allowedModels: ['some/model', 'other/model'],
      limits: { requestsPerMinute: { mcp: 7 }, tokensPerMinute: 9 },
      budget: { amount: '1', period: 'total' },
    };
    expect(inputOf(fields, fieldValues(fields, record))).toEqual(record);
  });

  test.each([
    ['name', { name: '  ' }, 'Fill this in.'],
    ['limits.concurrency', { name: 'a', 'limits.concurrency': '1.5' }, 'This must be a whole number, such as 60.'],
    ['expiresAt', { name: 'a', expiresAt: 'tomorrow' }, 'This must be a date and a time.'],
  ])('what cannot be %s is told beside it', (param, written, message) => {
    expect(() => inputOf(fields, written)).toThrow(expect.objectContaining({ param, message }));
  });
});
