import type { ApiKey } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { describeStep } from '../describe-changes.ts';
import { emptyAccount, testedAt } from '../testing/account-state.ts';
import { planKeys } from './plan-keys.ts';

const key = (id: string, name: string, userId?: string): ApiKey => ({
  id,
  name,
  prefix: 'sk-tp-0',
  createdAt: testedAt,
  ...(userId !== undefined && { userId }),
});

function plan(...keys: ApiKey[]) {
  const place = { account: 'default', entry: { website: {} }, state: { ...emptyAccount, keys } };
  const { steps, extra, problems, unchanged } = planKeys(place, {
    isProtected: () => false,
    secrets: () => '',
    newProjects: [],
  });
  return { steps: steps.map(describeStep), extra: extra.map(describeStep), problems, unchanged };
}

const ofMember = ['delete  key "website" of user_bob', 'delete  key "website" of user_bob'];

test('keys that a user created are not those of the document', () => {
  const mine = [key('key_1', 'website', 'user_bob'), key('key_2', 'website', 'user_bob')];
  expect(plan(...mine)).toEqual({ steps: ['create  key "website"'], extra: ofMember, problems: [], unchanged: 0 });
  expect(plan(...mine, key('key_3', 'website'))).toEqual({ steps: [], extra: ofMember, problems: [], unchanged: 1 });
});

test('several keys of one name that no user created are a problem', () => {
  expect(plan(key('key_1', 'website'), key('key_2', 'website'))).toMatchObject({
    steps: [],
    problems: [{ path: ['accounts', 'default', 'keys', 'website'] }],
  });
});
