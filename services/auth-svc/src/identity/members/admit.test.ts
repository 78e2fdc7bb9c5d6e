import type { Database } from '@tallyport/database';
import { openMigrated } from '@tallyport/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../keys/create-key.ts';
import { maxProjectMembers } from '../../projects/project-members.ts';
import { type AccessRule, identitySchema } from '../document/identity-schema.ts';
import { addUserBeside } from '../../users/users.ts';
import { createMemberPasswordLink } from '../../accounts/member-password-link.ts';
import { admit } from './admit.ts';

let close: () => Promise<void>;
let database: Database;
beforeAll(async () => {
  ({ database, close } = await openMigrated());
  await database.kysely.insertInto('accounts').values({ id: 'research', name: 'Research' }).execute();
  await database.kysely.insertInto('accounts').values({ id: 'sales', name: 'Sales' }).execute();
  for (const name of ['Ranking', 'Crawling', 'Full', 'By hand']) {
    const id = `project_${name.toLowerCase().replace(' ', '_')}`;
    await database.kysely.insertInto('projects').values({ id, account_id: 'research', name }).execute();
  }
});
afterAll(() => close());

const rule = (value: string, project: string, projectRole?: 'admin'): AccessRule => ({
  claim: 'groups',
  value,
  account: 'research',
  role: 'member',
  project,
  ...(projectRole && { projectRole }),
});
const access = [
  rule('rankers', 'ranking'),
  rule('leads', 'project_ranking', 'admin'),
  rule('crawlers', 'crawling'),
  rule('many', 'full'),
  rule('lost', 'deleted'),
];
const { providers } = identitySchema.parse({
  providers: [{ id: 'acme', name: 'Acme', issuer: 'https://acme.example', clientId: 'client', access }],
});

async function signIn(name: string, ...groups: string[]) {
  const [provider] = providers;
  if (provider === undefined) throw new Error('There is no provider.');
  const claims = { email: `${name}@acme.example`, groups };
  const person = { issuer: provider.issuer, subject: name, claims, idToken: 'not read', providerSession: undefined };
  const admission = await admit(database, { provider: { ...provider, clientSecret: undefined }, person });
  if (admission.outcome !== 'admitted') throw new Error(admission.outcome);
  return admission;
}
const projectsOf = async (userId: string) => {
  const members = database.kysely.selectFrom('project_members').select(['project_id', 'role', 'identity_provider']);
  const found = await members.where('user_id', '=', userId).orderBy('project_id').execute();
  return found.map(({ project_id, role, identity_provider }) => [project_id, role, identity_provider]);
};

test('groups give projects with the highest role, and take them back with the keys that were made there', async () => {
  const { userId } = await signIn('ada', 'rankers', 'crawlers', 'leads');
  expect(await projectsOf(userId)).toEqual([
    ['project_crawling', 'member', 'acme'],
    ['project_ranking', 'admin', 'acme'],
  ]);
  const owner = { accountId: 'research', actor: `user:${userId}`, userId, byAdmin: true } as const;
  await createKey(database, owner, { name: 'crawler', projectId: 'project_crawling' });
  await createKey(database, owner, { name: 'ranker', projectId: 'project_ranking' });

  const { ended } = await signIn('ada', 'rankers');
  expect([await projectsOf(userId), ended.length]).toEqual([[['project_ranking', 'member', 'acme']], 1]);
  const { kysely } = database;
  const revoked = kysely.selectFrom('api_keys').select('name').where('revoked_at', 'is not', null);
  expect(await revoked.execute()).toEqual([{ name: 'crawler' }]);
  const audit = kysely.selectFrom('audit_log').select(['action', 'subject']).where('actor', '=', 'identity:acme');
  expect(await audit.where('action', 'like', 'project.%').orderBy('id').execute()).toEqual([
    { action: 'project.member_set', subject: 'project_ranking' },
    { action: 'project.member_set', subject: 'project_crawling' },
    { action: 'project.member_set', subject: 'project_ranking' },
    { action: 'project.member_removed', subject: 'project_crawling' },
  ]);
});

const person = (subject: string, claims: object) => ({
  issuer: 'https://acme.example',
  subject,
  claims: { groups: ['rankers'], ...claims },
  idToken: 'not read',
  providerSession: undefined,
});

async function admitted(changes: object, claims: Parameters<typeof person>): Promise<string> {
  const [provider] = providers;
  if (provider === undefined) throw new Error('There is no provider.');
  const admission = await admit(database, {
    provider: { ...provider, ...changes, clientSecret: undefined },
    person: person(...claims),
  });
  if (admission.outcome !== 'admitted') throw new Error(admission.outcome);
  return admission.userId;
}

test('a password link that an account made ends when its person joins another account', async () => {
  const claims = { email: 'vic@acme.example' };
  const userId = await admitted({}, ['vic', claims]);
  await createMemberPasswordLink(database, {
    accountId: 'research',
    actor: 'operator',
    byOwner: true,
    byOperator: false,
    userId,
  });
  const links = () => database.kysely.selectFrom('password_links').select('user_id').execute();
  await admitted({}, ['vic', claims]);
  expect(await links()).toEqual([{ user_id: userId }]);
  const both = [rule('rankers', 'ranking'), { ...rule('rankers', 'none'), account: 'sales', project: undefined }];
  await admitted({ access: both }, ['vic', claims]);
  expect(await links()).toEqual([]);
});

test.each([
  ['of its own claim', { email: 'boss@acme.example', email_verified: true }, true],
  ['that is not verified', { email: 'boss@acme.example' }, false],
  ['in another claim than the verified one', { email: 'eve@acme.example', email_verified: true }, false],
  ['in another claim, with none verified', { email_verified: true }, false],
])('takes over a user by an address %s: %s', async (name, claims, takesOver) => {
  const email = 'boss@acme.example';
  const boss = await database.kysely.transaction().execute((transaction) => {
    return addUserBeside(transaction, { email, passwordHash: 'x' });
  });
  const settings = { emailClaim: 'preferred_username', linkVerifiedEmail: true };
  const userId = await admitted(settings, [name, { preferred_username: email, ...claims }]);
  expect(userId === boss).toBe(takesOver);
  await database.kysely.deleteFrom('users').where('email', '=', email).execute();
});

test('a project that is not in the rules, or was given by hand, stays until a rule gives it', async () => {
  const { userId } = await signIn('bo', 'rankers');
  const byHand = { account_id: 'research', user_id: userId, role: 'member' } as const;
  for (const project_id of ['project_by_hand', 'project_crawling']) {
    await database.kysely
      .insertInto('project_members')
      .values({ ...byHand, project_id })
      .execute();
  }
  await signIn('bo', 'rankers');
  expect(await projectsOf(userId)).toEqual([
    ['project_by_hand', 'member', null],
    ['project_crawling', 'member', null],
    ['project_ranking', 'member', 'acme'],
  ]);
  await signIn('bo', 'crawlers');
  await signIn('bo', 'rankers');
  expect(await projectsOf(userId)).toEqual([
    ['project_by_hand', 'member', null],
    ['project_ranking', 'member', 'acme'],
  ]);
});

test('a project that does not exist, or is full, is left out; the person still signs in', async () => {
  const { kysely } = database;
  const people = Array.from({ length: maxProjectMembers }, (_, at) => `user_${at}`);
  await kysely
    .insertInto('users')
    .values(people.map((id) => ({ id, email: `${id}@acme.example`, password_hash: 'none' })))
    .execute();
  const member = { account_id: 'research', role: 'member' } as const;
  await kysely
    .insertInto('memberships')
    .values(people.map((user_id) => ({ ...member, user_id })))
    .execute();
  const allButOne = people.slice(1).map((user_id) => ({ ...member, user_id, project_id: 'project_full' }));
  await kysely.insertInto('project_members').values(allButOne).execute();
  const { userId } = await signIn('cy', 'many', 'lost');
  expect(await projectsOf(userId)).toEqual([['project_full', 'member', 'acme']]);
  const next = await signIn('di', 'many', 'lost');
  expect(await projectsOf(next.userId)).toEqual([]);
});
