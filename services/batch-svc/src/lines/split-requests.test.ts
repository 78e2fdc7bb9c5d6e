import { expect, test } from 'vitest';
import { splitRequests } from './split-requests.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  const piece = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const taken = bytes.subarray(at, at + size);
    piece.set(taken);
    yield piece.subarray(0, taken.length);
  }
}

async function split(text: string, size = 64, maxBytes = 1_000): Promise<string[]> {
  const requests: string[] = [];
  for await (const request of splitRequests(inPieces(text, size), { maxBytes })) requests.push(request.toString());
  return requests;
}

const requests = [
  { custom_id: 'a', params: { messages: [{ role: 'user', content: 'braces } ] { [ and "quotes" and \\ and ü' }] } },
  { custom_id: 'b', params: { text: 'line\nend', tail: '\\' } },
];

test.each([1, 2, 3, 5, 17, 10_000])('every request is found in pieces of %i bytes', async (size) => {
  for (const text of [JSON.stringify({ requests }), `\n ${JSON.stringify({ requests }, undefined, 2)}\r\n`]) {
    const found = await split(text, size);
    expect(found.map((each) => JSON.parse(each) as unknown)).toEqual(requests);
    expect(found.join('')).not.toMatch(/[\r\n]/);
  }
});

test('a list may be empty', async () => {
  expect(await split('{ "requests" : [ ] }', 1)).toEqual([]);
});

test.each([
  ['no JSON', 'hello'],
  ['nothing', ''],
  ['a list', '[{"custom_id":"a"}]'],
  ['another member before', '{"x":1,"requests":[]}'],
  ['another member behind', '{"requests":[],"x":1}'],
  ['a list that does not end', '{"requests":[{"a":1}'],
  ['an object that does not end', '{"requests":[{"a":1}]'],
  ['a request that does not end', '{"requests":[{"a":1'],
  ['no objects', '{"requests":[1,2]}'],
  ['a comma too many', '{"requests":[{"a":1},]}'],
  ['a comma at the beginning', '{"requests":[,{"a":1}]}'],
  ['no comma', '{"requests":[{"a":1}{"b":1}]}'],
  ['more behind it', '{"requests":[]} {}'],
  ['endless space before', ' '.repeat(5_000)],
  ['endless space behind', `{"requests":[]}${' '.repeat(5_000)}`],
])('%s is refused', async (_name, text) => {
  for (const size of [1, 7, 100_000])
    await expect(split(text, size)).rejects.toMatchObject({ code: 'invalid_json', param: 'requests' });
});

test('a request has at most so many bytes, and not one more', async () => {
  const request = JSON.stringify({ a: 'x'.repeat(100) });
  expect(await split(`{"requests":[{},${request}]}`, 9, request.length)).toEqual(['{}', request]);
  await expect(split(`{"requests":[{},${request}]}`, 9, request.length - 1)).rejects.toMatchObject({
    code: 'request_too_large',
    param: 'requests[1]',
  });
});
