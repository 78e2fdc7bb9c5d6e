import { describe, expect, test } from 'vitest';
import { type FieldSpec, fieldValues, inputOf } from './field-spec.ts';

const fields: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true },
  { name: 'expiresAt', label: 'Works until', kind: 'time' },
  { name: 'allowedModels', label: 'Models', kind: 'lines' },
  { name: 'from', label: 'From', kind: 'day' },
  { name: 'csv', label: 'Bill', kind: 'document' },
  { name: 'admin', label: 'Admin', kind: 'flag' },
  { name: 'limits.requestsPerMinute.chat', label: 'Chat requests', kind: 'number' },
  { name: 'limits.requestsPerMinute.mcp', label: 'MCP requests', kind: 'number' },
  { name: 'limits.tokensPerMinute', label: 'Tokens', kind: 'number' },
  { name: 'limits.concurrency', label: 'Concurrent requests', kind: 'number' },
  { name: 'below', label: 'Below', kind: 'number', decimals: true },
  { name: 'budget.amount', label: 'Amount', kind: 'text' },
  { name: 'budget.period', label: 'Period', kind: 'choice', onlyWith: 'budget.amount' },
];

describe('the fields of a form', () => {
  test('converts filled fields to API input and omits empty ones', () => {
    const written = {
      name: ' reports ',
      expiresAt: '2030-01-31T23:59',
      allowedModels: 'some/model, other/model\r\n\r\n third',
      from: '2030-01-01',
      csv: 'a,b\r\n1,2\r\n',
      admin: 'yes',
      'limits.requestsPerMinute.chat': '60',
      'limits.concurrency': '0',
      below: '99.5',
      'budget.amount': '2.50',
      'budget.period': 'week',
      'limits.tokensPerMinute': '',
    };
    expect(inputOf(fields, written)).toEqual({
      name: 'reports',
      expiresAt: '2030-01-31T23:59:00.000Z',
      allowedModels: ['some/model', 'other/model', 'third'],
      from: '2030-01-01',
      csv: 'a,b\r\n1,2',
      admin: true,
      limits: { requestsPerMinute: { chat: 60 }, concurrency: 0 },
      below: 99.5,
      budget: { amount: '2.50', period: 'week' },
    });
  });

  test('removes a member whose fields were all cleared, and keeps others whole', () => {
    const written = { name: 'reports', 'budget.amount': '', 'budget.period': 'week', 'limits.concurrency': '5' };
    expect(inputOf(fields, written, { emptied: true })).toEqual({
      name: 'reports',
      expiresAt: null,
      allowedModels: null,
      from: null,
      csv: null,
      admin: null,
      below: null,
      budget: null,
      limits: { concurrency: 5 },
    });
  });

  test('round-trips a record through the form', () => {
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
    ['name', { name: '  ' }, 'This field is required.'],
    ['limits.concurrency', { name: 'a', 'limits.concurrency': '1.5' }, 'Enter a whole number, for example 60.'],
    ['below', { name: 'a', below: '1,5' }, 'Enter a number, for example 99.5.'],
    ['expiresAt', { name: 'a', expiresAt: 'tomorrow' }, 'Enter a date and a time.'],
  ])('reports an invalid %s at its field', (param, written, message) => {
    expect(() => inputOf(fields, written)).toThrow(expect.objectContaining({ param, message }));
  });
});
