import { expect, test } from 'vitest';
import { clientOfKeyId, keyIdOfClient, keyIdsOfUser, userOfKeyId } from './client-key-id.ts';

const user = 'user_0123456789abcdef0123456789abcdef';

test.each([
  ['client_1', undefined],
  ['client_1', user],
  ['https://app.example.com/~ada/client.json', undefined],
  ['https://app.example.com/~ada/client.json', user],
])('the key id of %s for %s names both', (client, userId) => {
  const keyId = keyIdOfClient(client, userId);
  expect([clientOfKeyId(keyId), userOfKeyId(keyId)]).toEqual([client, userId]);
  expect(keyId.startsWith(keyIdsOfUser(user))).toBe(userId === user);
});

test('an API key has neither client nor user', () => {
  expect([clientOfKeyId('key_1'), userOfKeyId('key_1')]).toEqual([undefined, undefined]);
});
