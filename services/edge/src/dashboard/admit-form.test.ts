import type { IncomingMessage } from 'node:http';
import { type Caller, GatewayError, type RequestKind } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import type { EdgeLimits } from '../limits/limits.ts';
import type { SessionRequest } from '../identify.ts';
import { admitForm } from './admit-form.ts';

const caller: Caller = { principal: { accountId: 'acme', keyId: 'playground_acme_u' }, limits: {} };
const post = { method: 'POST', url: '/dashboard/acme/playground?models=m', headers: {} } as IncomingMessage;
const body = Buffer.from('prompt=a%26b&csrf_token=masked');
const leave = () => {};

function doorOf(answer: () => Promise<Caller>) {
  const asked: SessionRequest[] = [];
  const admitted: { kind: RequestKind; caller: Caller | undefined }[] = [];
  const admit: EdgeLimits['admit'] = (_, kind, by) => (admitted.push({ kind, caller: by }), leave);
  return {
    asked,
    admitted,
    sessionCaller: (session: SessionRequest) => (asked.push(session), answer()),
    admit,
  };
}

test('a form is counted as a request of the person in the account of its address', async () => {
  const door = doorOf(async () => caller);
  expect(await admitForm(door, 'images')(post, body)).toBe(leave);
  expect(door.asked).toEqual([{ request: post, account: 'acme', maskedToken: 'masked' }]);
  expect(door.admitted).toEqual([{ kind: 'images', caller }]);
});

test('opening the page counts nothing', async () => {
  const door = doorOf(async () => caller);
  const get = { ...post, method: 'GET' } as IncomingMessage;
  expect([await admitForm(door, 'chat')(get, body), door.asked]).toEqual([undefined, []]);
});

test('without a session the page decides; any other refusal is final', async () => {
  const refusing = (code: 'invalid_api_key' | 'permission_denied') =>
    doorOf(() => Promise.reject(new GatewayError(code, 'No.')));
  const signedOut = refusing('invalid_api_key');
  expect([await admitForm(signedOut, 'chat')(post, body), signedOut.admitted]).toEqual([undefined, []]);
  await expect(admitForm(refusing('permission_denied'), 'chat')(post, body)).rejects.toMatchObject({ status: 403 });
});
