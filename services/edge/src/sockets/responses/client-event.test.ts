import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readClientEvent } from './client-event.ts';

const envelope = new Set(['type', 'stream_id', 'stream', 'background', 'generate']);

test('a request keeps every member but those of the socket, in any order and spelling', () => {
  const members = fc.dictionary(
    fc.string().filter((name) => !envelope.has(name)),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(members, fc.boolean(), fc.option(fc.boolean()), (own, spaced, generate) => {
      const message = { ...own, stream_id: 'a', type: 'response.create', background: null, stream: true, generate };
      const event = readClientEvent(Buffer.from(JSON.stringify(message, null, spaced ? 2 : undefined)));
      expect(event).toMatchObject({ type: 'response.create', lane: 'a', prepares: generate === false });
      const body = event.type === 'response.create' ? JSON.parse(event.body.toString()) : undefined;
      expect(body).toEqual(JSON.parse(JSON.stringify({ ...own, stream: true })));
    }),
  );
});

test('a member whose name is written with escapes or twice cannot get past the socket', () => {
  const message = String.raw`{"type":"response.create","str\u0065am":false,"stream":true,"backgr\u006fund":true,"background":null}`;
  const event = readClientEvent(Buffer.from(message));
  expect(event.type === 'response.create' && event.body.toString()).toBe('{"stream":true}');
});

test('any bytes are an event or an error', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    ' ',
    '"type"',
    '"response.create"',
    '\\u',
    '1',
    'é',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (text) => {
      expect(['response.create', 'response.steer', 'wrong']).toContain(
        readClientEvent(Buffer.from(`{${text.join('')}`)).type,
      );
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(readClientEvent(Buffer.from(bytes)).type).toBe('wrong');
    }),
  );
});
