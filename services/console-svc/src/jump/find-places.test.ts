import type { Role } from '@tallyport/contracts';
import { viewerIn } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { findPlaces } from './find-places.ts';
import { mostOfKind } from './named-things.ts';

/** What the API answers. Alerts and end users are for admins only: asking as a member fails the test. */
function outputsFor(role: Role): Readonly<Record<string, object>> {
  const many = Array.from({ length: 20 }, (_, at) => ({ id: `p${at}`, name: `search ${at}` }));
  return {
    listKeys: { keys: [{ id: 'k1', name: '<b>search</b>', prefix: 'tp_1' }] },
    listProjects: { projects: many },
    listMembers: { members: [{ userId: 'u2', email: 'search@example.com', role: 'owner' }] },
    ...(role !== 'member' && {
      listAlerts: { alerts: [{ id: 'a1', name: 'Search is slow' }] },
      findEndUsers: { endUsers: ['search & co'] },
    }),
    listRequests: { requests: [] },
  };
}

const model = (id: string, available: boolean) => ({
  id,
  name: `Model ${id}`,
  aliases: [],
  available,
  providers: [{ providerId: 'search-host' }],
  architecture: { input_modalities: ['text'], output_modalities: ['text'] },
});

function placesOf(role: Role, text: string) {
  const outputs = outputsFor(role);
  const request = {
    base: '/d',
    caller: { accountId: 'a', role, operator: false },
    signedIn: { userId: 'u1' },
    viewer: viewerIn('UTC'),
    ask: (operation: string) =>
      operation in outputs ? Promise.resolve(outputs[operation]) : Promise.reject(new Error(`${operation} was called`)),
    api: { listModels: () => Promise.resolve([model('search-large', true), model('search', false)]) },
  };
  return findPlaces(request as never, text);
}

const found = async (role: Role, text: string): Promise<string[]> =>
  (await placesOf(role, text)).map(({ kind, text: title, href }) => `${kind}: ${title} ${href}`);

test('a name leads to everything that has it, a few of each kind', async () => {
  const places = await found('owner', 'SEARCH');
  expect(places.filter((place) => !place.startsWith('Project:'))).toEqual([
    'Key: <b>search</b> /d/keys/k1',
    'Model: Model search /d/models/search',
    'Model: Model search-large /d/models/search-large',
    'Provider: search-host /d/providers/search-host',
    'Member: search@example.com /d/members/u2',
    'End user: search & co /d/end-users/named?name=search+%26+co',
    'Alert: Search is slow /d/alerts/a1',
  ]);
  expect(places.filter((place) => place.startsWith('Project:'))).toHaveLength(mostOfKind);
});

test.each<[Role, string, string[]]>([
  ['member', 'create key', ['Action: Create a key /d/keys/new']],
  ['member', 'invite', []],
  ['admin', 'invite member', ['Action: Invite a member /d/members/invite']],
  ['admin', 'edit guardrails', []],
  ['owner', 'edit guardrails', ['Action: Change the guardrails /d/guardrails/edit']],
])('a %s who enters %j finds the action if they may do it', async (role, text, expected) => {
  const actions = (await found(role, text)).filter((place) => place.startsWith('Action:'));
  expect(actions).toEqual(expected);
});

test.each<[Role, string, string[]]>([
  ['member', 'revoke search', ['Action: Revoke <b>search</b> /d/keys/k1/revoke']],
  ['member', 'Revoke', ['Action: Revoke <b>search</b> /d/keys/k1/revoke']],
  ['member', 'try search', ['Action: Try Model search-large /d/playground?models=search-large']],
  ['member', 'delete slow', []],
  ['admin', 'delete slow', ['Action: Delete Search is slow /d/alerts/a1/delete']],
  ['admin', 'remove search@', []],
  ['owner', 'remove search@', ['Action: Remove search@example.com /d/members/u2/remove']],
])('a %s who enters %j gets to the page that asks first', async (role, text, expected) => {
  const actions = (await found(role, text)).filter((place) => place.startsWith('Action:'));
  expect(actions).toEqual(expected);
});
