import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJsonBody, parseJsonBodyKeeping } from './body.ts';
import { runsOf } from '../../../../tests/support/scale.ts';

const nonce = '5f1c';
const read = (json: string | Buffer) => parseJsonBody([Buffer.from(json)], () => nonce);
const problem = (json: string | Buffer) => {
  const reading = read(json);
  return reading.ok ? undefined : reading.problem;
};
const long = 'x'.repeat(20_000);

describe('at the limit and one above it', () => {
  const tooLarge = (most: string) => ({
    code: 'request_too_large',
    message: `The body has more than ${most}. Send less in one request.`,
  });

  test.each([
    ['elements', '0,', 1],
    ['empty objects', '{},', 2],
    ['members', '{"a":0,"b":0},', 5],
  ])('100000 values and names: %s', (_kind, element, counted) => {
    // The document and its list count one each, and every element with its comma counts as given.
    const lists = [0, 1].map((more) => `[${element.repeat(99_990 / counted)}${'0,'.repeat(8 + more)}0]`);
    expect(lists.map(problem)).toEqual([undefined, tooLarge('100000 JSON values and names')]);
  });

  test('12 MiB of anything but long plain strings', () => {
    const rest = 12 * 1024 * 1024;
    const most = tooLarge(`${rest} bytes of JSON besides long strings of plain ASCII such as images in base64`);
    const text = (bytes: number) => `"é${'x'.repeat(bytes - 4)}"`;
    expect([problem(text(rest)), problem(text(rest + 1))]).toEqual([undefined, most]);
    expect([problem('0'.padEnd(rest)), problem('0'.padEnd(rest + 1))]).toEqual([undefined, most]);
    expect(problem(`"${'x'.repeat(rest)}`)).toEqual(most);
  });

  test('plain strings do not count', () => {
    const images = Array.from({ length: 1_000 }, () => long);
    expect(read(JSON.stringify(images))).toEqual({ ok: true, value: images });
  });

  test('200 levels', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(problem(nested(200))).toBeUndefined();
    const deep = { code: 'invalid_parameters', message: 'the body: nested deeper than 200 levels' };
    expect([problem(nested(201)), problem(`{"a":[${nested(40_000)}]}`)]).toEqual([deep, deep]);
  });

  test('10000 members of one object', () => {
    const members = (count: number) =>
      JSON.stringify([Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 0]))]);
    const many = { code: 'invalid_parameters', message: 'the body: an object has more than 10000 members' };
    expect([problem(members(10_000)), problem(members(10_001))]).toEqual([undefined, many]);
  });
});

test.each<[string, Buffer, string]>([
  ['nothing', Buffer.from(''), 'it is empty'],
  ['white space', Buffer.from(' \n'), 'it is empty'],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'its bytes are not UTF-8'],
  [
    'no UTF-8 behind a long string',
    Buffer.concat([Buffer.from(`["${long.repeat(11)}`), Buffer.from([0xff])]),
    'its bytes are not UTF-8',
  ],
  ['half a list', Buffer.from('[1'), "Expected ',' or ']' after array element in JSON at position 2 (line 1 column 3)"],
])('%s is not JSON', (_name, body, why) => {
  expect(problem(body)).toEqual({ code: 'invalid_json', message: `The body must be JSON, but ${why}.` });
});

test('long strings are restored, or kept as bytes', () => {
  const value = { [long]: [long, 'short', { deep: long }], __proto__x: 'é', text: `${long}\n` };
  const json = `{"__proto__":${JSON.stringify(long)},"list":${JSON.stringify(Array.from({ length: 12 }, () => value))}}`;
  const pieces = [Buffer.from(json.slice(0, 30_000)), Buffer.from(json.slice(30_000))];
  expect(parseJsonBody(pieces, () => nonce)).toEqual({ ok: true, value: JSON.parse(json) });
  const kept = parseJsonBodyKeeping(pieces, { threshold: 16_384, nonce: () => nonce });
  expect(kept.ok && kept.strings.byPlaceholder.size).toBe(25);
});

test('bodies are accepted and refused like by JSON.parse', () => {
  const part = fc.constantFrom(
    ...'{}[],:"\\ \n0aé',
    `"${long}"`,
    '"k":',
    '\\"',
    '\\u00e9',
    'null',
    `"${'\\n'.repeat(999)}"`,
  );
  const text = fc.oneof(
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.jsonValue({ depthSize: 'medium', stringUnit: 'binary' }).map((value) => JSON.stringify([value, long])),
  );
  const expected = (json: string): unknown => {
    try {
      return { value: JSON.parse(json) };
    } catch {
      return 'invalid_json';
    }
  };
  fc.assert(
    fc.property(text, fc.boolean(), (json, isLarge) => {
      const body = isLarge ? json.padEnd(200_001) : json;
      const reading = read(Buffer.from(body));
      const found = reading.ok ? { value: reading.value } : reading.problem.code;
      expect(found).toEqual(expected(Buffer.from(body).toString()));
    }),
    { numRuns: runsOf(500) },
  );
});
