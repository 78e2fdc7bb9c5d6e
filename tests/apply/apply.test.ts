import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeKey } from '@tallyport/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createAdminKey } from '../docs/admin-key.ts';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { runApply, runApplyProgram } from './apply.ts';

describe('npm run apply', () => {
  let gateway: Gateway;
  let adminKey: string;
  let folder: string;
  let count = 0;
  /** The name of an account that no other test uses. */
  let account: string;
  beforeAll(async () => {
    gateway = await startGateway();
    adminKey = await createAdminKey(gateway);
    folder = await mkdtemp(join(tmpdir(), 'apply-'));
  });
  afterAll(async () => {
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    account = `Team ${(count += 1)}`;
  });

  const providerSecret = 'sk-a-secret-of-a-provider-4711';
  const file = () => join(folder, 'gateway.yaml');
  const secretsFile = () => join(folder, `secrets-${count}.yaml`);
  const write = (entry: object, name = account) =>
    writeFile(file(), JSON.stringify({ apiVersion: 'tallyport/v1', kind: 'Gateway', accounts: { [name]: entry } }));
  const variables = (key: string) => ({
    ADMIN_KEY: key,
    PROVIDER_SECRET: providerSecret,
    WEBHOOK_SECRET: 'aSecretOfAWebhookWithEnough4711aa',
    OTHER_WEBHOOK_SECRET: 'aSecretOfAWebhookWithEnough0815aa',
    ALERT_SECRET: `whsec_${'A'.repeat(44)}4711`,
    OTHER_ALERT_SECRET: `whsec_${'A'.repeat(44)}0815`,
  });
  const applyWith = (key: string, ...words: string[]) =>
    runApply([file(), '--url', gateway.baseUrl, ...words], variables(key));
  const apply = (...words: string[]) => applyWith(adminKey, ...words);
  /** Without the number of the revision. */
  const plan = async (...words: string[]) => {
    const planned = await apply('--plan', ...words);
    return { ...planned, out: planned.out.replace(/--revision \d+/, '--revision N') };
  };
  const applyToSecrets = (...words: string[]) => apply('--secrets-to', secretsFile(), ...words);
  const secrets = async (): Promise<Record<string, string>> => parse(await readFile(secretsFile(), 'utf8')).stringData;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare it with what they expect
  const call = async (operation: string, body?: object, accountId?: string): Promise<any> => {
    const [method, path] = operation.split(' ');
    const response = await fetch(`${gateway.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminKey}`,
        'content-type': 'application/json',
        ...(accountId !== undefined && { 'x-tallyport-account': accountId }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const accountId = async (name = account): Promise<string> => {
    const { accounts } = await call('GET /accounts');
    return accounts.find((each: { name: string }) => each.name === name)?.id;
  };
  const keysOf = async () => (await call('GET /keys', undefined, await accountId())).keys;

  const whole = {
    settings: { limits: { concurrency: 20 }, budget: { amount: '500', period: 'month' } },
    providerKeys: { ours: { provider: 'openai', key: { fromEnv: 'PROVIDER_SECRET' } } },
    keys: { search: { allowedModels: ['sandbox-chat'], expiresAt: '2090-01-01T01:00:00+01:00' }, plain: {} },
    oauthClients: { report: {} },
    members: { 'ada@example.com': 'owner' },
  };

  test('plans without a change, applies everything, and changes nothing the second time', async () => {
    await write(whole);
    const planned = await plan();
    expect(planned).toEqual({
      code: 2,
      problems: '',
      out: [
        `account ${account}`,
        '  create  account',
        '  change  settings: limits none → {"concurrency":20}, budget none → {"amount":"500","period":"month"}',
        '  create  provider key "ours" of openai: enabled true',
        '  create  key "search": expiresAt 2090-01-01T00:00:00.000Z, allowedModels ["sandbox-chat"]',
        '  create  key "plain"',
        '  create  OAuth client "report": redirectUris []',
        '  create  invitation of ada@example.com: role owner',
        '',
        '6 to create, 1 to change, 0 to delete, 0 unchanged.',
        'To apply exactly this plan: --revision N',
        '',
      ].join('\n'),
    });
    const program = [file(), '--url', gateway.baseUrl, '--plan'];
    expect(await runApplyProgram(program, variables(adminKey))).toEqual(await apply('--plan'));
    expect(await accountId()).toBe(undefined);

    const applied = await applyToSecrets();
    expect({ ...applied, out: '' }).toEqual({ code: 0, out: '', problems: '' });
    expect(applied.out.match(/^done /gm)).toHaveLength(7);
    const created = await secrets();
    const name = account.replace(' ', '-');
    expect(Object.keys(created)).toEqual([
      `${name}.key.search`,
      `${name}.key.plain`,
      `${name}.oauth-client.report`,
      `${name}.invitation.ada-example.com`,
    ]);
    for (const secret of [...Object.values(created), providerSecret]) expect(applied.out).not.toContain(secret);
    expect((await stat(secretsFile())).mode & 0o777).toBe(0o600);
    const models = await fetch(`${gateway.baseUrl}/v1/models`, {
      headers: { authorization: `Bearer ${created[`${name}.key.search`]}` },
    });
    expect(models.status).toBe(200);

    expect(await apply()).toEqual({ code: 0, problems: '', out: 'Nothing to change.\n' });
    expect(await apply('--plan', '--prune')).toEqual({ code: 0, problems: '', out: 'Nothing to change.\n' });
  });

  test('shows and corrects what was changed by hand', async () => {
    await write(whole);
    await applyToSecrets();
    const id = await accountId();
    const [search] = await keysOf();
    await call(`PATCH /keys/${search.id}`, { allowedModels: null, cacheTtlSeconds: 60 }, id);
    await call(`PATCH /accounts/${id}`, { suspended: true, limits: { concurrency: 5 } });
    const { providerKeys } = await call('GET /provider-keys', undefined, id);
    await call(`PATCH /provider-keys/${providerKeys[0].id}`, { key: 'sk-replaced-by-hand-0815', enabled: false }, id);
    const drift = [
      `account ${account}`,
      '  change  settings: limits {"concurrency":5} → {"concurrency":20}, suspended true → false',
      '  change  provider key "ours" of openai: enabled false → true, key another secret → the secret it refers to',
      '  change  key "search": allowedModels none → ["sandbox-chat"], cacheTtlSeconds 60 → none',
      '',
      '0 to create, 3 to change, 0 to delete, 3 unchanged.',
      'To apply exactly this plan: --revision N',
      '',
    ].join('\n');
    expect(await plan()).toEqual({ code: 2, problems: '', out: drift });
    expect((await apply()).code).toBe(0);
    expect(await apply('--plan')).toMatchObject({ code: 0 });
    expect((await keysOf())[0]).toMatchObject({ id: search.id, allowedModels: ['sandbox-chat'] });
  });

  test('creates projects with their keys, moves keys between them, and prunes the empty one', async () => {
    const budget = { amount: '25', period: 'month' };
    await write({ projects: { one: { budget }, two: {} }, keys: { search: { project: 'one' } } });
    expect((await apply('--plan')).out).toContain(
      [
        '  create  project "one": budget {"amount":"25","period":"month"}',
        '  create  project "two"',
        '  create  key "search": project one',
      ].join('\n'),
    );
    expect(await applyToSecrets()).toMatchObject({ code: 0, problems: '' });
    const id = await accountId();
    const projects = async () => (await call('GET /projects', undefined, id)).projects;
    const [one, two] = await projects();
    expect([one, two]).toMatchObject([{ name: 'one', budget, keys: 1 }, { name: 'two' }]);
    expect(await keysOf()).toMatchObject([{ projectId: one.id }]);
    expect(await apply()).toMatchObject({ code: 0, out: 'Nothing to change.\n' });

    await write({ projects: { two: { limits: { concurrency: 3 } } }, keys: { search: { project: 'two' } } });
    const moved = await apply('--prune');
    expect(moved).toMatchObject({ code: 0, problems: '' });
    expect(moved.out).toContain('change  key "search": project one → two');
    expect(await projects()).toMatchObject([{ id: two.id, limits: { concurrency: 3 }, keys: 1 }]);

    await write({ keys: { search: {} } });
    expect((await apply()).out).toContain('change  key "search": project two → none');
    expect((await keysOf())[0]).not.toHaveProperty('projectId');
    await write({ keys: { search: { project: 'three' } } });
    expect((await apply()).problems).toContain('is not a project of the account; add it to projects');
  });

  test('webhooks are there before the rules that name them, and go after these', async () => {
    const url = 'https://dlp.example/decide';
    const webhook = { name: 'dlp', onFailure: 'block' };
    const guardWebhooks = { dlp: { url, secret: { fromEnv: 'WEBHOOK_SECRET' } } };
    await write({ guardWebhooks, settings: { guardrails: { request: { webhook } } } });
    expect((await apply()).out).toContain(`done    ${account}: create  webhook "dlp"`);
    expect(await apply('--plan')).toMatchObject({ code: 0 });
    const id = await accountId();
    expect((await call('GET /guard-webhooks', undefined, id)).guardWebhooks).toMatchObject([{ name: 'dlp', url }]);
    const other = { dlp: { url: 'https://other.example/', secret: { fromEnv: 'OTHER_WEBHOOK_SECRET' } } };
    await write({ guardWebhooks: other, settings: { guardrails: { request: { webhook } } } });
    expect((await apply('--plan')).out).toContain(
      'change  webhook "dlp": url https://dlp.example/decide → https://other.example/, secret another secret → the secret it refers to',
    );
    await write({ guardWebhooks: {}, settings: {} });
    expect((await apply('--prune')).code).toBe(0);
    expect((await call('GET /guard-webhooks', undefined, id)).guardWebhooks).toEqual([]);
  });

  test('routes are created, replaced as a whole, exact the second time, and pruned', async () => {
    const fast = {
      targets: [{ model: 'sandbox-chat', weight: 9 }, { model: 'sandbox-fast' }],
      description: 'for the bot',
    };
    await write({ routes: { fast, other: { targets: fast.targets } } });
    expect((await apply()).out).toContain(`done    ${account}: create  route "fast"`);
    expect(await apply('--plan')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to change.') });
    const id = await accountId();
    const names = async () =>
      (await call('GET /routes', undefined, id)).routes.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['fast', 'other']);
    await write({ routes: { fast: { targets: fast.targets, then: ['sandbox-tools'] } } });
    expect((await apply('--plan')).out).toContain(
      'change  route "fast": description for the bot → none, then [] → ["sandbox-tools"]\n  keep    route "other", not in the document',
    );
    expect((await apply('--prune')).code).toBe(0);
    expect((await call('GET /routes', undefined, id)).routes).toMatchObject([
      { name: 'fast', then: ['sandbox-tools'] },
    ]);
    expect(await names()).toEqual(['fast']);
    await write({ routes: { fast: { targets: fast.targets, when: [{ if: '1 +', use: ['o4'] }] } } });
    expect(await apply()).toMatchObject({ code: 1, problems: expect.stringContaining('.routes.fast.when.0.if ') });
  });

  test('MCP servers are created with their secrets, corrected, and pruned', async () => {
    const url = 'https://docs.example/mcp';
    const auth = { type: 'header', name: 'Authorization', value: { fromEnv: 'PROVIDER_SECRET' } };
    await write({ mcpServers: { docs: { url, auth }, old: { url, enabled: false } } });
    expect(await apply()).toMatchObject({ code: 0, problems: '' });
    const id = await accountId();
    const servers = async () => (await call('GET /mcp-servers', undefined, id)).mcpServers;
    const docs = {
      name: 'docs',
      url,
      auth: { type: 'header', name: 'Authorization', lastFour: '4711' },
      enabled: true,
    };
    expect(await servers()).toMatchObject([docs, { name: 'old', auth: { type: 'none' }, enabled: false }]);
    expect(await apply('--plan', '--prune')).toEqual({ code: 0, problems: '', out: 'Nothing to change.\n' });

    const [{ id: server }] = await servers();
    await call(`PATCH /mcp-servers/${server}`, { url: 'https://other.example/mcp', auth: { type: 'none' } }, id);
    await write({ mcpServers: { docs: { url, auth } } });
    const corrected = await apply('--prune');
    expect(corrected.out).toContain(
      [
        `account ${account}`,
        '  change  MCP server "docs": url https://other.example/mcp → https://docs.example/mcp, auth {"type":"none"} → {"name":"Authorization","type":"header"}, secret another secret → the secret it refers to',
        '  delete  MCP server "old"',
        '',
        '0 to create, 1 to change, 1 to delete, 0 unchanged.',
      ].join('\n'),
    );
    expect(corrected.out).not.toContain(providerSecret);
    expect(await servers()).toMatchObject([{ ...docs, id: server }]);
    expect(await apply('--plan', '--prune')).toMatchObject({ code: 0 });
  });

  test('alerts follow the names of keys, are corrected, and are pruned', async () => {
    const webhook = (name: string) => ({ url: 'https://hooks.example/secret-path', secret: { fromEnv: name } });
    const alertsWith = (secret: string) => ({
      money: { condition: { type: 'budget', scope: 'key', name: 'search', percent: 80 }, webhook: webhook(secret) },
    });
    await write({ keys: { search: {} }, alerts: alertsWith('ALERT_SECRET') });
    expect(await plan()).toEqual({
      code: 2,
      problems: '',
      out: [
        `account ${account}`,
        '  create  account',
        '  create  key "search"',
        '  create  alert "money": condition {"name":"search","percent":80,"scope":"key","type":"budget"}, enabled true, webhook hooks.example',
        '',
        '3 to create, 0 to change, 0 to delete, 0 unchanged.',
        'To apply exactly this plan: --revision N',
        '',
      ].join('\n'),
    });
    expect(await applyToSecrets()).toMatchObject({ code: 0, problems: '' });
    const id = await accountId();
    const alerts = async () => (await call('GET /alerts', undefined, id)).alerts;
    const [key] = await keysOf();
    expect(await alerts()).toMatchObject([
      { condition: { type: 'budget', scope: 'key', id: key.id, percent: 80 }, webhook: { lastFour: '4711' } },
    ]);
    expect(await apply('--plan', '--prune')).toEqual({ code: 0, problems: '', out: 'Nothing to change.\n' });

    const [{ id: alert }] = await alerts();
    await call(`PATCH /alerts/${alert}`, { enabled: false, emails: null }, id);
    await call(
      'POST /alerts',
      { name: 'by hand', condition: { type: 'key_expiry', days: 3 }, webhook: { url: 'https://hooks.example' } },
      id,
    );
    await write({ alerts: alertsWith('OTHER_ALERT_SECRET') });
    expect((await apply('--prune')).out).toContain(
      [
        `account ${account}`,
        '  change  alert "money": enabled false → true, secret another secret → the secret it refers to',
        '  delete  alert "by hand"',
        '',
        '0 to create, 1 to change, 1 to delete, 0 unchanged.',
      ].join('\n'),
    );
    expect(await alerts()).toMatchObject([{ id: alert, enabled: true, webhook: { lastFour: '0815' } }]);
    expect(await apply('--plan', '--prune')).toMatchObject({ code: 0 });
    await write({
      alerts: { money: { condition: { type: 'key_expiry', key: 'other', days: 1 }, emails: ['a@b.example'] } },
    });
    expect((await apply()).problems).toContain(
      'alerts.money.condition.key is not a key of the account; add it to keys.',
    );
    const team = { condition: { type: 'budget', scope: 'project', name: 'ranking', percent: 50 } };
    await write({ projects: { ranking: {} }, alerts: { team: { ...team, webhook: webhook('ALERT_SECRET') } } });
    expect(await apply('--prune')).toMatchObject({ code: 0, problems: '' });
    const [project] = (await call('GET /projects', undefined, id)).projects;
    expect(await alerts()).toMatchObject([{ name: 'team', condition: { scope: 'project', id: project.id } }]);
    expect(await apply('--plan', '--prune')).toMatchObject({ code: 0 });
  });

  test('deletes what is not in the document only with --prune, and only in sections that it has', async () => {
    await write(whole);
    await applyToSecrets();
    const id = await accountId();
    await call('POST /keys', { name: 'by hand' }, id);
    await write({ keys: { search: whole.keys.search } });
    const planned = await apply();
    expect(planned.out).toBe(
      `account ${account}\n  keep    key "plain", not in the document\n  keep    key "by hand", not in the document\n\nNothing to change.\n`,
    );
    const pruned = await apply('--prune');
    expect(pruned.code).toBe(0);
    expect(pruned.out).toContain('0 to create, 0 to change, 2 to delete, 1 unchanged.');
    const keys = await keysOf();
    expect(keys.filter(({ revokedAt }: { revokedAt?: string }) => !revokedAt)).toMatchObject([{ name: 'search' }]);
    expect((await call('GET /provider-keys', undefined, id)).providerKeys).toHaveLength(1);

    await write({ providerKeys: {}, oauthClients: {}, members: {} });
    expect((await apply('--prune')).out).toContain('3 to delete');
    expect(await apply('--plan', '--prune')).toMatchObject({ code: 0 });
  });

  test('creates and rotates a key whose text a file has', async () => {
    const [first, second] = [makeKey(), makeKey()];
    const inFolder = (text: string) => writeFile(join(folder, 'search-key'), `${text}\n`);
    const status = async (key: string) =>
      (await fetch(`${gateway.baseUrl}/v1/key`, { headers: { authorization: `Bearer ${key}` } })).status;
    await write({ keys: { search: { key: { fromFile: 'search-key' } } } });
    await inFolder(first);
    const created = await apply();
    expect([created.code, await status(first)]).toEqual([0, 200]);
    expect(await apply('--plan')).toMatchObject({ code: 0 });
    await inFolder(second);
    const rotated = await apply();
    expect(rotated.out).toContain('change  key "search": key another secret → the secret it refers to');
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    for (const text of [first, second]) expect(created.out + rotated.out).not.toContain(text);
    expect(await apply('--plan')).toMatchObject({ code: 0 });
    await inFolder('hunter2');
    expect((await apply()).problems).toContain('keys.search.key must be a key that npm run secrets -- generate-key');
  });

  test('never deletes the key that it uses', async () => {
    const unused = await createAdminKey(gateway);
    await write({ keys: {} }, 'default');
    const { out } = await applyWith(unused, '--prune', '--plan');
    const { keys } = await call('GET /keys');
    const own = keys.filter(({ prefix }: { prefix: string }) => unused.startsWith(prefix));
    expect(own).toHaveLength(1);
    // All admin keys of this file have the same name; every other one would be deleted.
    const active = keys.filter(({ revokedAt }: { revokedAt?: string }) => !revokedAt);
    expect(out.match(/^ {2}delete /gm)).toHaveLength(active.length - 1);
  });

  test('creates no secret without a place for it', async () => {
    await write({ keys: { search: {} } });
    const { code, problems } = await apply();
    expect({ code, problems }).toEqual({
      code: 1,
      problems:
        'Nothing was changed: new keys, client secrets and invitation links (1 here) are shown only once. Name a new file for them: --secrets-to secrets.yaml\n',
    });
    expect(await accountId()).toBe(undefined);
    await writeFile(secretsFile(), 'keep me');
    expect((await applyToSecrets()).problems).toContain('Name one that does not exist yet.');
    expect(await readFile(secretsFile(), 'utf8')).toBe('keep me');
    expect(await accountId()).toBe(undefined);
  });

  test('stops at the first failure, names what is left, and continues when applied again', async () => {
    const broken = { ...whole, providerKeys: { ours: { ...whole.providerKeys.ours, provider: 'nowhere' } } };
    await write(broken);
    const stopped = await applyToSecrets();
    expect(stopped.code).toBe(1);
    expect(stopped.out.match(/^done .*$/gm)).toEqual([
      `done    ${account}: create  account`,
      `done    ${account}: change  settings`,
    ]);
    expect(stopped.problems).toContain(`failed  ${account}: create  provider key "ours" of nowhere: `);
    expect(stopped.problems.match(/^not done .*$/gm)).toHaveLength(4);

    await write(whole);
    const continued = await applyToSecrets();
    expect(continued.code).toBe(0);
    expect(continued.out.match(/^done /gm)).toHaveLength(5);
    expect(await apply()).toMatchObject({ out: 'Nothing to change.\n' });
  });

  test('ten runs at once make one account, and all of them succeed', async () => {
    await write({ settings: { limits: { concurrency: 20 } }, projects: { one: {}, two: {} } });
    const runs = await Promise.all(Array.from({ length: 10 }, () => apply()));
    expect(runs.map(({ code, problems }) => [code, problems])).toEqual(runs.map(() => [0, '']));
    expect(runs.flatMap(({ out }) => out.match(/^done .*$/gm) ?? []).toSorted()).toEqual([
      `done    ${account}: change  settings`,
      `done    ${account}: create  account`,
      `done    ${account}: create  project "one"`,
      `done    ${account}: create  project "two"`,
    ]);
    const { accounts } = await call('GET /accounts');
    expect(accounts.filter(({ name }: { name: string }) => name === account)).toHaveLength(1);
    expect(await apply()).toEqual({ code: 0, problems: '', out: 'Nothing to change.\n' });
  });

  test('a plan that was looked at is refused if anything has changed since, and applied if not', async () => {
    await write({ projects: { one: {} } });
    const shown = async () => /--revision (\d+)/.exec((await apply('--plan')).out)?.[1] ?? '';
    const old = await shown();
    await call('POST /accounts', { name: `${account}, other` });
    const refused = await apply('--revision', old);
    expect([refused.code, refused.problems]).toEqual([
      1,
      [
        `failed  ${account}: create  account: Accounts have changed since this was planned. Plan again and look at the changes.`,
        `not done ${account}: create  project "one"`,
        'Correct the cause and apply again: it continues here.',
        '',
      ].join('\n'),
    ]);
    expect(await accountId()).toBe(undefined);
    expect(await apply('--revision', await shown())).toMatchObject({ code: 0, problems: '' });
    expect((await apply('--revision', 'x')).problems).toContain('--revision must be the number that --plan has shown.');
  });

  test('a key that may change less stops there', async () => {
    await write({ keys: {} });
    await apply();
    const id = await accountId();
    const { key } = await call('POST /keys', { name: 'of the team', admin: true }, id);
    await write({ settings: { limits: { concurrency: 9 } }, keys: { 'of the team': { admin: true } } });
    const refused = await applyWith(key);
    expect(refused.code).toBe(1);
    expect(refused.problems).toContain(
      `failed  ${account}: change  settings: This requires an operator of the installation.`,
    );
    await write({ keys: { 'of the team': { admin: true, cacheTtlSeconds: 60 } } });
    expect((await applyWith(key)).code).toBe(0);
    await write({}, 'default');
    expect((await applyWith(key)).problems).toContain(
      'accounts.default is not the id of an account that this key may change.',
    );
    expect((await applyWith(gateway.apiKey)).problems).toContain('This key is not an admin key.');
  });

  test.each<[string, object, string]>([
    [
      'a secret that is not set',
      { providerKeys: { ours: { provider: 'openai', key: { fromEnv: 'NOT_SET' } } } },
      'providerKeys.ours.key refers to NOT_SET, which is not set.',
    ],
    [
      'a file that is missing',
      { providerKeys: { ours: { provider: 'openai', key: { fromFile: 'none' } } } },
      'which cannot be read.',
    ],
    [
      'a name for an account that is named',
      { settings: { name: 'Other' } },
      'settings.name is only possible if the account is named by its id',
    ],
    ['a wrong setting', { keys: { search: { rpm: 1 } } }, 'keys.search has the unknown member "rpm".'],
  ])('%s changes nothing', async (_name, entry, problem) => {
    await write(entry);
    const { code, problems } = await apply();
    expect(code).toBe(1);
    expect(problems).toContain(`${file()}:1: accounts.`);
    expect(problems).toContain(problem);
    expect(await accountId()).toBe(undefined);
  });

  test('what an existing key or OAuth client cannot change is reported before anything is changed', async () => {
    await write({ keys: { search: {} }, oauthClients: { report: {} } });
    await applyToSecrets();
    await write({
      settings: { limits: { concurrency: 1 } },
      keys: { search: { admin: true } },
      oauthClients: { report: { redirectUris: ['https://app.example.com'] } },
    });
    const { code, problems } = await apply();
    expect(code).toBe(1);
    expect(problems).toContain('keys.search.admin cannot be changed for an existing key');
    expect(problems).toContain('oauthClients.report.redirectUris cannot be changed for an existing OAuth client');
    expect(await apply('--plan', '--prune')).toMatchObject({ code: 1 });
    await call('POST /keys', { name: 'search' }, await accountId());
    await write({ keys: { search: {} } });
    expect((await apply()).problems).toContain(
      'keys.search is the name of several keys; rename or revoke all but one.',
    );
  });
});
