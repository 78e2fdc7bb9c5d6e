import { type CallOperation, keyIdOfClient } from '@tallyport/management';
import { expect, test } from 'vitest';
import { readKeyText } from './key-text.ts';

const ada = 'user_0a';

const answers: Record<string, object> = {
  listOAuthGrants: { grants: [{ clientId: 'granted', clientName: 'Desktop app' }] },
  listOAuthClients: { clients: [{ id: 'client_1', name: 'Nightly report' }] },
  listMembers: { members: [{ userId: ada, email: 'ada@example.com' }] },
};

async function textsFor(role: 'admin' | 'member', requests: readonly { keyId: string; keyName?: string }[]) {
  const asked: string[] = [];
  const ask = (async (name: string) => {
    asked.push(name);
    return answers[name];
  }) as CallOperation;
  const caller = { accountId: 'a', role, operator: false };
  const keyText = await readKeyText(
    { ask, caller },
    requests.map(({ keyId }) => keyId),
  );
  return { texts: requests.map(keyText), asked };
}

const granted = { keyId: keyIdOfClient('granted', ada) };

test('names keys and applications, and for admins the user that an application acts for', async () => {
  const requests = [{ keyId: 'key_1', keyName: 'nightly' }, granted, { keyId: 'workload_ci:main' }];
  expect((await textsFor('admin', requests)).texts).toEqual([
    'nightly',
    'Desktop app for ada@example.com',
    'workload_ci:main',
  ]);
  expect((await textsFor('member', requests)).texts).toEqual(['nightly', 'Desktop app', 'workload_ci:main']);
});

test('reads no names one by one', async () => {
  const keys = Array.from({ length: 50 }, (_, at) => ({ keyId: `workload_ci:${at}` }));
  expect((await textsFor('admin', keys)).asked).toEqual([]);
  const clients = Array.from({ length: 50 }, (_, at) => ({ keyId: keyIdOfClient(`client_${at}`) }));
  const { asked } = await textsFor('admin', [...clients, ...keys]);
  expect(asked.toSorted()).toEqual(['listMembers', 'listOAuthClients', 'listOAuthGrants']);
});
