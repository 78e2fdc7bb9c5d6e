import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readIdentity } from './read-identity.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'identity-'));
});
afterAll(() => rm(directory, { recursive: true }));

const acme = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://acme.example',
  clientId: 'client',
  access: [{ everyone: true, account: 'default', role: 'member' }],
};

const write = async (document: unknown): Promise<string> => {
  const file = join(directory, 'identity.yaml');
  await writeFile(file, typeof document === 'string' ? document : JSON.stringify(document));
  return file;
};
const problemOf = async (document: unknown): Promise<string> => {
  const file = await write(document);
  return readIdentity(file).then(
    () => 'none',
    (error: Error) => error.message.replaceAll(`${file}:`, ''),
  );
};
const withProvider = (changes: object) => ({ providers: [{ ...acme, ...changes }] });

const withWorkload = (changes: object) => ({
  workloads: [
    { id: 'bots', issuer: 'https://acme.example', audience: 'gateway', subject: 'bot', account: 'default', ...changes },
  ],
});

test.each([60, 3600])('a lifetime of %s seconds is accepted', async (lifetimeSeconds) => {
  expect(await problemOf(withWorkload({ lifetimeSeconds }))).toBe('none');
});

test('an empty document means passwords only', async () => {
  expect(await readIdentity(await write('# none yet'))).toEqual({
    passwords: 'on',
    providers: [],
    workloads: [],
    files: [],
  });
});

test('a secret is read from its file and not shown', async () => {
  const file = join(directory, 'secret');
  await writeFile(file, 'of acme\n');
  const { providers, files } = await readIdentity(await write(withProvider({ clientSecret: { file } })));
  expect(providers[0]?.clientSecret?.reveal()).toBe('of acme');
  expect(JSON.stringify(providers)).not.toContain('of acme');
  expect(files).toEqual([file]);
});

test.each<[string, unknown, string]>([
  ['plain http', withProvider({ issuer: 'http://acme.example' }), 'providers.0.issuer: must be a URL that starts with'],
  [
    'a query',
    withProvider({ issuer: 'https://acme.example/?x' }),
    'providers.0.issuer: must be a URL that starts with',
  ],
  [
    'a name that looks like this machine',
    withProvider({ issuer: 'http://127.0.0.1.example' }),
    'providers.0.issuer: must',
  ],
  ['a secret in the document', withProvider({ clientSecret: 'x' }), 'providers.0.clientSecret: Invalid input'],
  [
    'a secret that is not set',
    withProvider({ clientSecret: { variable: 'IDENTITY_SECRET_X' } }),
    'IDENTITY_SECRET_X is not set.',
  ],
  [
    'another variable',
    withProvider({ clientSecret: { variable: 'DATABASE_URL' } }),
    'must begin with IDENTITY_SECRET_',
  ],
  [
    'two places of a secret',
    withProvider({ clientSecret: { variable: 'IDENTITY_SECRET_X', file: 'y' } }),
    'must name a variable or a file',
  ],
  ['a file that does not exist', withProvider({ clientSecret: { file: '/nowhere' } }), 'must be the path of a file'],
  [
    'a rule without a value',
    withProvider({ access: [{ claim: 'g', account: 'a', role: 'member' }] }),
    'must have claim and value, or everyone: true',
  ],
  [
    'a rule for all with a claim',
    withProvider({ access: [{ everyone: true, claim: 'g', value: 'v', account: 'a', role: 'member' }] }),
    'must have claim and value',
  ],
  [
    'an unknown role',
    withProvider({ access: [{ everyone: true, account: 'a', role: 'root' }] }),
    'providers.0.access.0.role: Invalid option',
  ],
  ['a misspelt member', withProvider({ clientID: 'x' }), 'providers.0.clientID: is not a known member.'],
  ['an id twice', { providers: [acme, acme] }, 'providers.1.id: is used twice'],
  ['checks less often than daily', withProvider({ recheckMinutes: 1441 }), 'providers.0.recheckMinutes: Too big'],
  ['a negative time of checks', withProvider({ recheckMinutes: -1 }), 'providers.0.recheckMinutes: Too small'],
  [
    'a grace of more than a week',
    withProvider({ recheckGraceMinutes: 10_081 }),
    'providers.0.recheckGraceMinutes: Too big',
  ],
  ['sessions of more than a week', withProvider({ sessionHours: 169 }), 'providers.0.sessionHours: Too big'],
  [
    'a rule for every token of an issuer',
    withWorkload({ subject: undefined }),
    'workloads.0: must have a subject or claims',
  ],
  [
    'a rule with empty claims',
    withWorkload({ subject: undefined, claims: {} }),
    'workloads.0: must have a subject or claims',
  ],
  ['a lifetime of 59 seconds', withWorkload({ lifetimeSeconds: 59 }), 'workloads.0.lifetimeSeconds: Too small'],
  ['a lifetime of 3601 seconds', withWorkload({ lifetimeSeconds: 3601 }), 'workloads.0.lifetimeSeconds: Too big'],
  [
    'keys over plain http',
    withWorkload({ jwksUri: 'http://a.example' }),
    'workloads.0.jwksUri: must be an https address',
  ],
  [
    'keys in a file that does not exist',
    withWorkload({ jwksFile: '/nowhere' }),
    'workloads.0.jwksFile: cannot be read',
  ],
  [
    'a rule with an unknown limit',
    withWorkload({ limits: { perDay: 1 } }),
    'workloads.0.limits.perDay: is not a known member.',
  ],
  [
    'a role in no project',
    withProvider({ access: [{ everyone: true, account: 'a', role: 'member', projectRole: 'admin' }] }),
    'providers.0.access.0.projectRole: needs a project',
  ],
  ['removal after a week', withProvider({ removeAfterDays: 7 }), 'providers.0.removeAfterDays: Too small'],
  ['passwords off without a provider', { passwords: 'off' }, 'passwords: can only be off with at least one provider'],
])('%s is refused', async (_what, document, problem) => {
  expect(await problemOf(document)).toContain(problem);
});

test('the longest and shortest times are accepted', async () => {
  expect(await problemOf(withProvider({ sessionHours: 168 }))).toBe('none');
  expect(await problemOf(withProvider({ recheckMinutes: 1440, recheckGraceMinutes: 10_080 }))).toBe('none');
  expect(await problemOf(withProvider({ recheckMinutes: 0, recheckGraceMinutes: 0 }))).toBe('none');
});

test('a workload has guardrails and tools like a key, and a pattern that cannot be used is refused', async () => {
  const guardrails = (pattern: string) => ({ request: { patterns: [{ name: 'a', pattern, action: 'block' }] } });
  const { workloads } = await readIdentity(
    await write(withWorkload({ guardrails: guardrails('a+'), allowedMcpTools: ['docs'] })),
  );
  expect(workloads[0]).toMatchObject({ guardrails: guardrails('a+'), allowedMcpTools: ['docs'] });
  expect(await problemOf(withWorkload({ guardrails: guardrails('(') }))).toContain('has a pattern that cannot be used');
});
