import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { GatewayError, hashKey, makeKey } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { createKeyHashes } from './credentials.ts';

const noSecrets = { open: () => undefined };

function requestOn(socket: Socket, key: string): IncomingMessage {
  const request = new IncomingMessage(socket);
  request.headers.authorization = `Bearer ${key}`;
  return request;
}

test('each request has the hash of its own key, also if its connection has sent another one', () => {
  const keyHashOf = createKeyHashes(noSecrets);
  const [one, other] = [new Socket(), new Socket()];
  const sent: [Socket, string][] = [
    [one, 'a'],
    [one, 'a'],
    [one, 'b'],
    [other, 'a'],
    [one, 'b'],
    [one, 'a'],
  ];
  const hashes = sent.map(([socket, key]) => keyHashOf(requestOn(socket, key)));
  expect(hashes).toEqual(sent.map(([, key]) => hashKey(key)));
});

test('a mistyped key is refused after a valid one on the same connection, and again', () => {
  const keyHashOf = createKeyHashes(noSecrets);
  const socket = new Socket();
  const key = makeKey();
  const mistyped = `${key.slice(0, -1)}!`;
  const hashOrError = (text: string) => {
    try {
      return keyHashOf(requestOn(socket, text));
    } catch (error) {
      return error instanceof GatewayError ? error.code : error;
    }
  };
  expect([key, mistyped, mistyped, key].map(hashOrError)).toEqual([
    hashKey(key),
    'invalid_api_key',
    'invalid_api_key',
    hashKey(key),
  ]);
});

test('a request that has lost its socket has a hash', () => {
  const request = requestOn(new Socket(), 'a');
  Object.assign(request, { socket: null });
  expect(createKeyHashes(noSecrets)(request)).toBe(hashKey('a'));
});

test('a client secret is checked again for each request of its connection, and not for one that it has opened', () => {
  const opened = { keyHash: 'hash', type: 'realtime' as const, model: 'm', expiresAt: Date.now() / 1000 + 60 };
  const keyHashOf = createKeyHashes({ open: () => opened });
  const socket = new Socket();
  const opening = requestOn(socket, 'ek_1');
  opening.url = '/v1/realtime?model=m';
  opening.headers.upgrade = 'websocket';
  expect(keyHashOf(opening)).toBe('hash');
  const other = requestOn(socket, 'ek_1');
  other.url = '/v1/chat/completions';
  expect(() => keyHashOf(other)).toThrow('only opens');
  opened.expiresAt = 0;
  expect(keyHashOf(opening)).toBe('hash');
});
