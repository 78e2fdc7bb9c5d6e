import { expect, test } from 'vitest';
import type { AccountState } from '../gateway-state.ts';
import { describeStep } from '../describe-changes.ts';
import { emptyAccount, testedAt as at } from '../testing/account-state.ts';
import { planOtherProjects, planProjects } from './plan-projects.ts';

const person = (name: string, digit: string) => ({ userId: `user_${digit.repeat(32)}`, email: `${name}@example.com` });
const ada = person('ada', 'a');
const grace = person('grace', 'b');

const state: AccountState = {
  ...emptyAccount,
  projects: [
    { id: 'project_1', name: 'ranking', createdAt: at, limits: { concurrency: 3 }, keys: 0, members: 1, spent: '0' },
    { id: 'project_2', name: 'old', createdAt: at, keys: 0, members: 0, spent: '0' },
  ],
  projectMembers: new Map([['project_1', [{ ...ada, role: 'member', addedAt: at }]]]),
  members: [
    { ...ada, role: 'member', joinedAt: at },
    { ...grace, role: 'member', joinedAt: at },
  ],
};

const plan = (
  entry: Parameters<typeof planProjects>[0]['entry'],
  invited: readonly string[] = [],
  members = state.members,
) => {
  const place = { account: 'Search', entry, state: { ...state, members } };
  const { steps, extra, problems, unchanged } = planProjects(place, { invited });
  return { steps: steps.map(describeStep), extra: extra.map(describeStep), problems, unchanged };
};

test('settings and members that are as wanted are unchanged', () => {
  const entry = { ranking: { limits: { concurrency: 3 }, members: { [ada.email]: 'member' as const } } };
  expect(plan(entry)).toEqual({ steps: [], extra: [], problems: [], unchanged: 2 });
});

test('the service tiers of a project are set', () => {
  expect(plan({ ranking: { limits: { concurrency: 3 }, allowedTiers: ['flex'] } })).toMatchObject({
    steps: ['change  project "ranking": allowedTiers none → ["flex"]'],
    problems: [],
  });
});

test('omitted settings are removed, and members without a section stay', () => {
  expect(plan({ ranking: {} })).toMatchObject({
    steps: ['change  project "ranking": limits {"concurrency":3} → none'],
    extra: [],
  });
});

test('members are added, get another role, and are removed on request', () => {
  const entry = { ranking: { limits: { concurrency: 3 }, members: { [grace.email]: 'admin' as const } } };
  expect(plan(entry)).toMatchObject({
    steps: ['create  member grace@example.com of project "ranking": role admin'],
    extra: ['delete  member ada@example.com of project "ranking"'],
  });
  expect(plan({ ranking: { limits: { concurrency: 3 }, members: { [ada.email]: 'admin' } } }).steps).toEqual([
    'change  member ada@example.com of project "ranking": role member → admin',
  ]);
});

test('people with an open invitation are added later, and strangers are a problem', () => {
  const entry = { fresh: { members: { 'new@example.com': 'member' as const } } };
  expect(plan(entry, ['new@example.com'])).toMatchObject({ steps: ['create  project "fresh"'], problems: [] });
  expect(plan(entry).problems).toEqual([
    {
      path: ['accounts', 'Search', 'projects', 'fresh', 'members', 'new@example.com'],
      message: 'is not a member of the account; add the person to members',
    },
  ]);
});

test('an address that several members share names none of them, and a user id names one', () => {
  const other = { ...person('grace', 'c'), role: 'member' as const, joinedAt: at };
  const members = [...state.members, other];
  const planFor = (names: Record<string, 'admin' | 'member'>) => plan({ ranking: { members: names } }, [], members);
  const path = ['accounts', 'Search', 'projects', 'ranking', 'members', grace.email];
  expect(planFor({ [grace.email]: 'admin' })).toMatchObject({
    steps: [expect.stringContaining('limits')],
    problems: [{ path, message: 'belongs to several members; name each by user id' }],
  });
  expect(planFor({ [ada.userId]: 'member', [other.userId]: 'admin' })).toMatchObject({
    steps: [expect.stringContaining('limits'), 'create  member grace@example.com of project "ranking": role admin'],
    extra: [],
    problems: [],
    unchanged: 1,
  });
});

test('projects that are not in the document are deleted only on request', () => {
  const { steps, extra } = planOtherProjects({ account: 'Search', entry: { ranking: {} }, state });
  expect([steps, extra.map(describeStep)]).toEqual([[], ['delete  project "old"']]);
});
