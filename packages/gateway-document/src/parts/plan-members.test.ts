import type { Role } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { describeStep } from '../describe-changes.ts';
import { emptyAccount, testedAt as at } from '../testing/account-state.ts';
import { planMembers } from './plan-members.ts';

const email = 'ada@example.com';
const userId = `user_${'a'.repeat(32)}`;
const otherId = `user_${'b'.repeat(32)}`;

const memberOf = (id: string, role: Role) => ({ userId: id, email, role, joinedAt: at });

function plan(entry: Record<string, Role>, ...members: ReturnType<typeof memberOf>[]) {
  const place = { account: 'default', entry, state: { ...emptyAccount, members } };
  const { steps, extra, problems, unchanged } = planMembers(place, { managesKeys: false });
  return { steps: steps.map(describeStep), extra: extra.map(describeStep), problems, unchanged };
}

const nothing = { steps: [], extra: [], problems: [], unchanged: 0 };

test.each<[Role, Role]>([
  ['member', 'admin'],
  ['member', 'owner'],
  ['admin', 'owner'],
])('an e-mail address does not make the %s who joined with it %s', (from, to) => {
  const message = expect.stringMatching(
    `^cannot become ${to}: ${userId} has joined as ${from}, and the address is not verified;`,
  );
  const problems = [{ path: ['accounts', 'default', 'members', email], message }];
  expect(plan({ [email]: to }, memberOf(userId, from))).toEqual({ ...nothing, problems });
});

test('an e-mail address invites, keeps a role and lowers it', () => {
  const invited = ['create  invitation of ada@example.com: role owner'];
  expect(plan({ [email]: 'owner' })).toEqual({ ...nothing, steps: invited });
  expect(plan({ [email]: 'owner' }, memberOf(userId, 'owner'))).toEqual({ ...nothing, unchanged: 1 });
  const lowered = ['change  member ada@example.com: role owner → admin'];
  expect(plan({ [email]: 'admin' }, memberOf(userId, 'owner'))).toEqual({ ...nothing, steps: lowered });
});

test('a user id gives any role, also to one of several members with an address', () => {
  const raised = ['change  member ada@example.com: role member → owner'];
  expect(plan({ [userId]: 'owner' }, memberOf(userId, 'member'))).toEqual({ ...nothing, steps: raised });
  expect(plan({ [userId]: 'owner' }, memberOf(userId, 'member'), memberOf(otherId, 'member'))).toEqual({
    ...nothing,
    steps: raised,
    extra: ['delete  member ada@example.com'],
  });
});

test.each<[string, Record<string, Role>, ReturnType<typeof memberOf>[], string]>([
  [
    'an address of several members',
    { [email]: 'member' },
    [memberOf(userId, 'member'), memberOf(otherId, 'member')],
    'belongs to several members; name each by user id',
  ],
  [
    'an address of a member with an entry',
    { [email]: 'member', [userId]: 'member' },
    [memberOf(userId, 'member')],
    `is the address of ${userId}, which has an entry of its own`,
  ],
  ['an unknown user id', { [userId]: 'member' }, [], 'is not the user id of a member of the account'],
])('%s is a problem', (_name, entry, members, message) => {
  expect(plan(entry, ...members)).toMatchObject({ steps: [], problems: [{ message }] });
});
