import { expect, test } from 'vitest';
import type { AccessRule } from '../document/identity-schema.ts';
import { rolesOf } from './roles-of.ts';

const rule = (claim: string, value: string, role: AccessRule['role'] = 'member', account = 'default'): AccessRule => ({
  claim,
  value,
  account,
  role,
});

test.each<[string, Record<string, unknown>, AccessRule[], Record<string, string>]>([
  ['a value', { dept: 'ai' }, [rule('dept', 'ai')], { default: 'member' }],
  ['a value in a list', { groups: ['x', 'ai'] }, [rule('groups', 'ai')], { default: 'member' }],
  ['a number', { level: 7 }, [rule('level', '7')], { default: 'member' }],
  ['a truth value', { staff: true }, [rule('staff', 'true')], { default: 'member' }],
  [
    'a member of a claim',
    { realm_access: { roles: ['ai'] } },
    [rule('realm_access.roles', 'ai')],
    { default: 'member' },
  ],
  ['a name with dots', { 'https://a.example/r': ['ai'] }, [rule('https://a.example/r', 'ai')], { default: 'member' }],
  [
    'a member of a claim with a dot',
    { 'kubernetes.io': { ns: 'ai' } },
    [rule('kubernetes.io.ns', 'ai')],
    { default: 'member' },
  ],
  ['another value', { groups: ['ai-admins'] }, [rule('groups', 'ai')], {}],
  ['another case', { groups: ['AI'] }, [rule('groups', 'ai')], {}],
  ['no claim', {}, [rule('groups', 'undefined')], {}],
  ['an object', { groups: { ai: true } }, [rule('groups', '[object Object]')], {}],
  ['a name of the language', {}, [rule('constructor.name', 'Object')], {}],
  [
    'several rules of one account: the highest role',
    { groups: ['a', 'b', 'c'] },
    [rule('groups', 'b', 'admin'), rule('groups', 'a', 'owner'), rule('groups', 'c')],
    { default: 'owner' },
  ],
  [
    'several accounts',
    { groups: ['a', 'b'] },
    [rule('groups', 'a', 'admin', 'research'), rule('groups', 'b')],
    { default: 'member', research: 'admin' },
  ],
  ['everyone', {}, [{ everyone: true, account: 'default', role: 'member' }], { default: 'member' }],
])('%s', (_what, claims, rules, roles) => {
  expect(Object.fromEntries(rolesOf(claims, rules))).toEqual(roles);
});
