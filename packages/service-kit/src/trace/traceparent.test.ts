import { describe, expect, test } from 'vitest';
import {
  childTrace,
  continueTrace,
  formatTraceparent,
  newTrace,
  parseTraceparent,
  pooledRandomHex,
} from './traceparent.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const counted = (bytes: number) => 'ab'.repeat(bytes);
const zeros = (bytes: number) => '00'.repeat(bytes);

describe('a valid traceparent header is parsed', () => {
  test.each([
    [`00-${traceId}-${spanId}-01`, { traceId, spanId, sampled: true }],
    [`00-${traceId}-${spanId}-00`, { traceId, spanId, sampled: false }],
    [`00-${traceId}-${spanId}-03`, { traceId, spanId, sampled: true }],
    [`cc-${traceId}-${spanId}-01-what-the-future-will-be-like`, { traceId, spanId, sampled: true }],
  ])('%s', (header, trace) => {
    expect(parseTraceparent(header)).toEqual(trace);
  });
});

describe('an invalid traceparent header is ignored', () => {
  test.each([
    undefined,
    '',
    'nonsense',
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}`,
    ` 00-${traceId}-${spanId}-01`,
    `cc-${traceId}-${spanId}-01-${'x'.repeat(600)}`,
  ])('%s', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});

test('a child keeps the trace id and the sampling decision, and has a new span id', () => {
  const parent = { traceId, spanId, sampled: false };
  expect(childTrace(parent, counted)).toEqual({ traceId, spanId: 'ab'.repeat(8), sampled: false });
});

test('a request without a valid header starts a trace', () => {
  const trace = { traceId: 'ab'.repeat(16), spanId: 'ab'.repeat(8), sampled: true };
  expect(continueTrace('nonsense', counted)).toEqual(trace);
  expect(newTrace(counted)).toEqual(trace);
});

test('a formatted traceparent can be parsed again', () => {
  const trace = newTrace();
  expect(parseTraceparent(formatTraceparent(trace))).toEqual(trace);
});

test('ids are never all zeros', () => {
  expect(parseTraceparent(formatTraceparent(newTrace(zeros)))).toBeDefined();
});

test('a random pool never returns the same bytes twice, nor fewer bytes at its end', () => {
  const random = pooledRandomHex(20);
  const given = Array.from({ length: 50 }, () => random(8));
  expect(new Set(given).size).toBe(50);
  expect([...given, random(20)].map((text) => text.length)).toEqual([...Array.from({ length: 50 }, () => 16), 40]);
  expect(random(21)).toHaveLength(42);
});
