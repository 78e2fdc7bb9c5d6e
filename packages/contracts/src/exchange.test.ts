import { expect, test } from 'vitest';
import { requestHeadSchema, responseHeadSchema } from './exchange.ts';

test.each([
  [{}, true],
  [{ 'content-type': 'text/plain', etag: '' }, true],
  [{ 'content-length': 5 }, false],
  [{ vary: ['accept'] }, false],
  [['accept'], false],
  [null, false],
  [undefined, false],
])('the headers %j are valid: %j', (headers, valid) => {
  expect(responseHeadSchema.safeParse({ status: 200, headers }).success).toBe(valid);
});

const head = { requestId: 'r', timeoutMs: 1, headers: {} };
const http = { method: 'GET', url: '/a%2Fb/../c?d', address: '192.0.2.1', publicOrigin: 'https://gateway.example' };
const rights = { limits: { key: { requestsPerMinute: { mcp: 1 } } }, scopes: ['mcp:tools'] };

test('the head of an HTTP request has its line, its origin and the rights of its caller', () => {
  expect(requestHeadSchema.parse({ ...head, http, rights })).toEqual({ ...head, http, rights });
  expect(requestHeadSchema.safeParse({ ...head, http: { ...http, publicOrigin: 'gateway' } }).success).toBe(false);
});

test('cookies of a response stay apart', () => {
  const response = { status: 200, headers: {}, setCookie: ['a=1', 'b=2'] };
  expect(responseHeadSchema.parse(response)).toEqual(response);
});
