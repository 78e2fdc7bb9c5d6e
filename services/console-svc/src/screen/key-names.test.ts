import { type CallOperation, keyIdOfClient } from '@tallyport/management';
import { expect, test } from 'vitest';
import { readKeyNames } from './key-names.ts';

const ada = 'user_0a';
const site = 'https://agent.example.com/client.json';

const answers: Record<string, (input: { ids?: string }) => unknown> = {
  listKeys: ({ ids = '' }) => ({
    keys: ids.split(',').flatMap((id) => (id.startsWith('key_') ? [{ id, name: id.replace('key_', 'nightly ') }] : [])),
  }),
  listOAuthGrants: () => ({ grants: [{ clientId: 'granted', clientName: 'Desktop app' }, { clientId: site }] }),
  listOAuthClients: () => ({ clients: [{ id: 'client_1', name: 'Nightly report' }] }),
  listMembers: () => ({ members: [{ userId: ada, email: 'ada@example.com' }] }),
};

async function namesFor(role: 'admin' | 'member', keyIds: readonly string[]) {
  const asked: string[] = [];
  const ask = (async (name: string, input: object = {}) => {
    asked.push(name);
    return answers[name]?.(input);
  }) as CallOperation;
  const nameOf = await readKeyNames({ ask, caller: { accountId: 'a', role, operator: false } }, keyIds);
  return { names: keyIds.map(nameOf), asked };
}

test('keys and applications have names, and admins see which user an application acts for', async () => {
  const keyIds = [
    'key_1',
    'workload_ci:main',
    keyIdOfClient('client_1'),
    keyIdOfClient('granted', ada),
    keyIdOfClient(site, ada),
    keyIdOfClient('gone', 'user_0b'),
  ];
  expect((await namesFor('admin', keyIds)).names).toEqual([
    'nightly 1',
    'workload_ci:main',
    'Nightly report',
    'Desktop app for ada@example.com',
    'agent.example.com for ada@example.com',
    'Deleted application',
  ]);
  expect((await namesFor('member', keyIds.slice(3, 4))).names).toEqual(['Desktop app']);
});

test('only what the key ids need is asked for', async () => {
  expect((await namesFor('admin', ['key_1', 'key_1'])).asked).toEqual(['listKeys']);
  expect((await namesFor('admin', ['', 'a,b'])).asked).toEqual([]);
  expect((await namesFor('member', [keyIdOfClient('granted', ada)])).asked).toEqual(['listOAuthGrants']);
  expect((await namesFor('admin', [])).asked).toEqual([]);
});

test('many keys are read a hundred at a time', async () => {
  const keyIds = Array.from({ length: 101 }, (_, at) => `key_${at}`);
  const { names, asked } = await namesFor('admin', keyIds);
  expect([names[0], names[100], asked]).toEqual(['nightly 0', 'nightly 100', ['listKeys', 'listKeys']]);
  expect((await namesFor('admin', keyIds.slice(1))).asked).toEqual(['listKeys']);
});
