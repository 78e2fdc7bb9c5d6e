import { createHmac } from 'node:crypto';
import { hashKey } from '@tallyport/contracts';
import { openMemoryStore } from '@tallyport/store';
import type { ApiCaller } from '@tallyport/management-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databasesWithSecrets, type OpenedWithSecrets } from '../../../auth-svc/src/testing/databases-with-secrets.ts';
import { maxAlerts } from './create-alert.ts';
import { retryAfterSeconds } from './deliveries/deliver.ts';
import { type OpenedAlerts, openAlertTests } from './testing/open-alert-tests.ts';
import { openMailServer, withoutSoftBreaks } from './testing/open-mail-server.ts';
import { openReceiver, type Receiver, type ReceivedWebhook } from './testing/open-receiver.ts';

const monthly = { amount: '10', period: 'month' };
const condition = { type: 'budget', scope: 'account', percent: 80 } as const;

describe.each(databasesWithSecrets)('alerts in %s', (_name, open) => {
  let opened: OpenedWithSecrets;
  let alerts: OpenedAlerts;
  let receiver: Receiver;
  let caller: ApiCaller;
  let accounts = 0;

  beforeAll(async () => {
    opened = await open();
    alerts = openAlertTests(opened);
    receiver = await openReceiver();
  });
  afterAll(async () => {
    await alerts.stop();
    await receiver.close();
    await opened.close();
  });
  beforeEach(async () => {
    accounts += 1;
    caller = await alerts.addAccount(`account-${accounts}`, monthly);
    receiver.received.length = 0;
    receiver.answerWith();
  });

  const ask = (name: string, input: object = {}) => alerts.ask(name, caller, input);
  const create = (input: object = {}) =>
    ask('POST /alerts', { name: 'spend', condition, webhook: { url: receiver.url }, ...input });
  const spend = (cost: string, changes: object = {}) =>
    alerts.use(1, { accountId: caller.accountId, cost, ...changes });
  const history = async (query: object = {}) => (await ask('GET /alerts/history', query)).events;

  it('are created, listed, changed and deleted, and return the secret of a webhook once', async () => {
    const { webhookSecret, ...created } = await create();
    expect(webhookSecret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(created).toEqual({
      id: expect.stringMatching(/^alert_[0-9a-f]{32}$/),
      name: 'spend',
      condition,
      webhook: { url: receiver.url, lastFour: webhookSecret.slice(-4) },
      enabled: true,
      firing: [],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const { id } = created;
    expect(await ask('GET /alerts')).toEqual({ alerts: [created], emailAvailable: false });
    expect(await ask('GET /alerts/{id}', { id })).toEqual(created);

    const renamed = await ask('PATCH /alerts/{id}', { id, name: 'money', enabled: false });
    expect(renamed).toEqual({ ...created, name: 'money', enabled: false, updatedAt: expect.any(String) });
    const sameUrl = await ask('PATCH /alerts/{id}', { id, webhook: { url: receiver.url } });
    expect(sameUrl).not.toHaveProperty('webhookSecret');
    expect(sameUrl.webhook).toEqual(created.webhook);
    const moved = await ask('PATCH /alerts/{id}', { id, webhook: { url: `${receiver.url}/2` } });
    expect(moved.webhookSecret).toMatch(/^whsec_/);
    expect(moved.webhookSecret).not.toBe(webhookSecret);
    expect(moved.webhook.lastFour).toBe(moved.webhookSecret.slice(-4));
    const own = { url: receiver.url, secret: `whsec_${'A'.repeat(44)}4711` };
    const withOwn = await ask('PATCH /alerts/{id}', { id, webhook: own });
    expect(withOwn.webhook).toEqual({ url: receiver.url, lastFour: '4711' });

    expect(await ask('DELETE /alerts/{id}', { id })).toMatchObject({ id, name: 'money' });
    expect(await ask('GET /alerts')).toMatchObject({ alerts: [] });
    await expect(ask('GET /alerts/{id}', { id })).rejects.toMatchObject({ code: 'not_found' });
    const { kysely } = alerts.database;
    expect(await kysely.selectFrom('secrets').select('id').where('id', '=', id).execute()).toEqual([]);
    const audit = await kysely.selectFrom('audit_log').selectAll().where('subject', '=', id).orderBy('id').execute();
    expect(audit.map(({ action, actor, detail }) => [action, actor, detail])).toEqual([
      ['alert.created', 'key:k', { name: 'spend', condition, webhook: new URL(receiver.url).host }],
      ['alert.changed', 'key:k', { name: 'money', enabled: false }],
      ['alert.changed', 'key:k', { webhook: new URL(receiver.url).host }],
      ['alert.changed', 'key:k', { webhook: new URL(receiver.url).host }],
      ['alert.changed', 'key:k', { webhook: new URL(receiver.url).host }],
      ['alert.deleted', 'key:k', { name: 'money' }],
    ]);
  });

  it('fire once at their share of the budget, although two replicas check them, and resolve', async () => {
    const { id } = await create();
    await spend('7.99');
    await alerts.check();
    expect(await history()).toEqual([]);

    await spend('0.01');
    await alerts.check();
    await alerts.check();
    const [fired] = await history();
    const account = { subject: caller.accountId, subjectName: `Account ${caller.accountId}` };
    expect(await history()).toEqual([
      {
        ...account,
        id: expect.stringMatching(/^alert_event_/),
        at: expect.any(String),
        alertId: id,
        alertName: 'spend',
        kind: 'fired',
        value: 80,
        summary: `The account Account ${caller.accountId} has spent 80 % of its budget (alert at 80 %).`,
        deliveries: [
          {
            channel: 'webhook',
            to: new URL(receiver.url).host,
            state: 'delivered',
            attempts: 1,
            deliveredAt: expect.any(String),
          },
        ],
      },
    ]);
    expect((await ask('GET /alerts/{id}', { id })).firing).toEqual([
      { ...account, value: 80, since: expect.any(String) },
    ]);
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([
      {
        type: 'alert.fired',
        timestamp: fired.at,
        text: fired.summary,
        data: {
          alert: { id, name: 'spend', condition },
          account: { id: caller.accountId, name: account.subjectName },
          subject: { id: caller.accountId, name: account.subjectName },
          value: 80,
          summary: fired.summary,
          links: {
            console: `https://gateway.example/dashboard/${caller.accountId}/account`,
            requests: `https://gateway.example/dashboard/${caller.accountId}/requests`,
          },
        },
      },
    ]);
    expect(await ask('GET /alerts/firing')).toEqual({ count: 1 });

    const budget = JSON.stringify({ ...monthly, amount: '20' });
    await alerts.database.kysely.updateTable('accounts').set({ budget }).where('id', '=', caller.accountId).execute();
    await alerts.check();
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.fired', 'alert.resolved']);
    expect((await ask('GET /alerts/{id}', { id })).firing).toEqual([]);
  });

  it('send what Slack or Teams expects, if a webhook has its format, until it is changed', async () => {
    const { id, webhook } = await create({ webhook: { url: receiver.url, format: 'slack' } });
    expect(webhook).toMatchObject({ format: 'slack' });
    const sent = async () => {
      await ask('POST /alerts/{id}/test', { id });
      return Object.keys(JSON.parse(receiver.received.at(-1)?.body ?? '{}'));
    };
    expect(await sent()).toEqual(['text', 'blocks']);
    await ask('PATCH /alerts/{id}', { id, webhook: { url: `${receiver.url}/2` } });
    expect(await sent()).toEqual(['text', 'blocks']);
    await ask('PATCH /alerts/{id}', { id, webhook: { url: receiver.url, format: 'teams' } });
    expect(await sent()).toEqual(['type', 'attachments']);
    const changed = await ask('PATCH /alerts/{id}', { id, webhook: { url: receiver.url, format: 'standard' } });
    expect(changed.webhook).not.toHaveProperty('format');
    expect(await sent()).toEqual(['type', 'timestamp', 'text', 'data']);
  });

  it('of a kind that only a newer version knows are left alone, and others are checked', async () => {
    const { id } = await create({ name: 'newer' });
    await create();
    await spend('9');
    await alerts.check();
    const newer = { condition: JSON.stringify({ type: 'of_a_newer_version', above: 5 }) };
    await alerts.database.kysely.updateTable('alerts').set(newer).where('id', '=', id).execute();
    await alerts.database.kysely.deleteFrom('alert_firings').execute();
    receiver.received.length = 0;
    await alerts.check();
    expect((await ask('GET /alerts')).alerts.map(({ name }: { name: string }) => name)).toEqual(['spend']);
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.alert.name)).toEqual(['spend']);
    const { checked_at } = await alerts.database.kysely
      .selectFrom('alerts')
      .select('checked_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(checked_at).toBeNull();
  });

  it('sign webhooks as Standard Webhooks says, with the same id at each attempt', async () => {
    const { webhookSecret } = await create();
    receiver.answerWith(500);
    await spend('9');
    await alerts.check();
    await alerts.elapse();
    await alerts.check();
    const [first, second] = receiver.received;
    expect(receiver.received).toHaveLength(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    for (const webhook of receiver.received) {
      expect(webhook.headers['webhook-signature']).toBe(signatureOf(webhook, webhookSecret));
      expect(Math.abs(Number(webhook.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(300);
    }
  });

  it('try a failed delivery again until the last attempt, and say why it failed', async () => {
    const { id } = await create();
    receiver.answerWith(...retryAfterSeconds.map(() => 503), 503);
    await spend('9');
    await alerts.check();
    const delivery = async () => (await history({ alert: id }))[0].deliveries[0];
    expect(await delivery()).toMatchObject({
      state: 'waiting',
      attempts: 1,
      lastError: 'The receiver answered with status 503.',
      nextAttemptAt: expect.any(String),
    });
    for (const _wait of retryAfterSeconds) {
      await alerts.elapse();
      await alerts.check();
    }
    expect(receiver.received).toHaveLength(retryAfterSeconds.length + 1);
    expect(await delivery()).toMatchObject({ state: 'failed', attempts: 7 });
    await alerts.elapse();
    await alerts.check();
    expect(receiver.received).toHaveLength(retryAfterSeconds.length + 1);
  });

  it('give up a delivery to a receiver that is gone, and to a webhook that the alert no longer has', async () => {
    const { id } = await create();
    receiver.answerWith(410, 500);
    await spend('9');
    await alerts.check();
    expect((await history())[0].deliveries).toMatchObject([{ state: 'failed', attempts: 1 }]);
    await ask('PATCH /alerts/{id}', { id, condition: { ...condition, percent: 85 } });
    await alerts.check();
    await ask('PATCH /alerts/{id}', { id, webhook: { url: `${receiver.url}/2` } });
    await alerts.elapse();
    await alerts.check();
    const [latest] = await history();
    expect(latest.deliveries).toMatchObject([
      { state: 'failed', attempts: 2, lastError: 'The alert has another webhook now.' },
    ]);
    expect(receiver.received).toHaveLength(2);
  });

  it('send a test to the webhook, once, and report what happened', async () => {
    const { id } = await create();
    receiver.answerWith(204, 404);
    expect(await ask('POST /alerts/{id}/test', { id })).toMatchObject({
      kind: 'test',
      summary: 'This is a test of the alert spend. Nothing has happened.',
      deliveries: [{ state: 'delivered' }],
    });
    expect(await ask('POST /alerts/{id}/test', { id })).toMatchObject({
      deliveries: [{ state: 'failed', attempts: 1, lastError: 'The receiver answered with status 404.' }],
    });
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.test', 'alert.test']);
    await expect(ask('POST /alerts/{id}/test', { id: 'alert_none' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('do nothing while they are disabled, and forget their state', async () => {
    const { id } = await create();
    await spend('9');
    await alerts.check();
    expect(await ask('PATCH /alerts/{id}', { id, enabled: false })).toMatchObject({ firing: [] });
    await alerts.check();
    expect(receiver.received).toHaveLength(1);
    await ask('PATCH /alerts/{id}', { id, enabled: true });
    await alerts.check();
    expect(receiver.received).toHaveLength(2);
  });

  it('have a history in pages, of one alert or all, which no other account sees', async () => {
    const { id } = await create();
    const other = await create({ name: 'other' });
    for (const alert of [id, other.id, id]) await ask('POST /alerts/{id}/test', { id: alert });
    const page = await ask('GET /alerts/history', { limit: 2 });
    expect(page.events.map(({ alertId }: Record<string, string>) => alertId)).toEqual([id, other.id]);
    const rest = await ask('GET /alerts/history', { limit: 2, cursor: page.nextCursor });
    expect(rest).toMatchObject({ events: [{ alertId: id }] });
    expect(rest).not.toHaveProperty('nextCursor');
    expect(await history({ alert: other.id })).toHaveLength(1);
    const stranger = await alerts.addAccount(`stranger-${accounts}`);
    expect(await alerts.ask('GET /alerts/history', stranger)).toEqual({ events: [] });
    for (const name of ['GET /alerts/{id}', 'PATCH /alerts/{id}', 'DELETE /alerts/{id}', 'POST /alerts/{id}/test'])
      await expect(alerts.ask(name, stranger, { id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it(`are at most ${maxAlerts} in an account, with different names`, async () => {
    for (let at = 1; at < maxAlerts; at++) await create({ name: `alert ${at}` });
    await expect(create({ name: 'alert 1' })).rejects.toMatchObject({ code: 'conflict', param: 'name' });
    const { id } = await create();
    await expect(ask('PATCH /alerts/{id}', { id, name: 'alert 1' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(create({ name: 'more' })).rejects.toMatchObject({ code: 'invalid_parameters' });
  });

  it.each([
    ['webhook', { webhook: undefined }],
    ['emails', { emails: ['ops@example.com'] }],
    ['webhook.url', { webhook: { url: 'https://10.0.0.1/hook' } }],
    ['webhook.url', { webhook: { url: 'https://user:password@example.com/' } }],
    ['webhook.secret', { webhook: { url: 'https://example.com/', secret: 'whsec_c2hvcnQ=' } }],
    ['condition.percent', { condition: { ...condition, percent: 101 } }],
    ['condition.percent', { condition: { ...condition, percent: 0 } }],
    ['condition.hours', { condition: { type: 'error_rate', above: 5, hours: 169 } }],
    ['condition.days', { condition: { type: 'key_expiry', days: 366 } }],
  ])('are refused because of `%s`', async (param, input) => {
    await expect(create(input)).rejects.toMatchObject({ code: 'invalid_parameters', param });
  });

  it('are for keys and projects that the account has', async () => {
    const { kysely } = alerts.database;
    const stranger = await alerts.addAccount(`stranger-${accounts}`);
    const key = { name: 'key', prefix: 'sk-tp-' };
    for (const [of, { accountId }] of [
      ['own', caller],
      ['other', stranger],
    ] as const) {
      for (const revoked of [false, true]) {
        const id = `key-${of}-${revoked}-${accounts}`;
        const revoked_at = revoked ? new Date() : null;
        await kysely
          .insertInto('api_keys')
          .values({ ...key, id, key_hash: hashKey(id), account_id: accountId, revoked_at })
          .execute();
      }
      const project = { id: `project-${of}-${accounts}`, account_id: accountId, name: 'search' };
      await kysely.insertInto('projects').values(project).execute();
    }
    const budgetOf = (scope: string, id: string) => ({ type: 'budget', scope, id, percent: 80 });
    const expiryOf = (id: string) => ({ type: 'key_expiry', key: id, days: 3 });
    const ownKey = `key-own-false-${accounts}`;
    const fitting = [
      budgetOf('key', ownKey),
      budgetOf('project', `project-own-${accounts}`),
      budgetOf('account', caller.accountId),
      expiryOf(ownKey),
    ];
    for (const [at, fits] of fitting.entries()) await create({ name: `fits ${at}`, condition: fits });
    const wrong = ['key_none', `key-own-true-${accounts}`, `key-other-false-${accounts}`, `project-own-${accounts}`];
    const refused = [
      ...wrong.map((id) => ['condition.id', budgetOf('key', id)] as const),
      ...wrong.map((id) => ['condition.key', expiryOf(id)] as const),
      ...['project_none', `project-other-${accounts}`, ownKey].map(
        (id) => ['condition.id', budgetOf('project', id)] as const,
      ),
      ['condition.id', budgetOf('account', stranger.accountId)] as const,
    ];
    const { id } = await create({ name: 'changed' });
    for (const [param, other] of refused) {
      const refusal = { code: 'invalid_parameters', param };
      await expect(create({ name: 'refused', condition: other })).rejects.toMatchObject(refusal);
      await expect(ask('PATCH /alerts/{id}', { id, condition: other })).rejects.toMatchObject(refusal);
    }
    // An alert keeps a key that was revoked later.
    const [watching] = (await ask('GET /alerts')).alerts.filter(({ name }: { name: string }) => name === 'fits 3');
    await kysely.updateTable('api_keys').set({ revoked_at: new Date() }).where('id', '=', ownKey).execute();
    const renamed = { id: watching.id, name: 'renamed', condition: watching.condition };
    expect(await ask('PATCH /alerts/{id}', renamed)).toMatchObject({ name: 'renamed' });
  });

  it('send six tests at once in an account, at all replicas together', async () => {
    const store = openMemoryStore();
    const replicas = [openAlertTests(opened, { store }), openAlertTests(opened, { store })];
    const { id } = await create();
    const other = await create({ name: 'other' });
    const tests = Array.from({ length: 40 }, async (_, at) =>
      replicas[at % 2]?.ask('POST /alerts/{id}/test', caller, { id: at % 3 === 0 ? other.id : id }),
    );
    const results = await Promise.allSettled(tests);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(refused).toEqual(Array<string>(34).fill('rate_limit_exceeded'));
    expect(receiver.received).toHaveLength(6);
    expect(await history()).toHaveLength(6);
    await Promise.all(replicas.map(({ stop }) => stop()));
  });

  describe('by e-mail', () => {
    let mail: Awaited<ReturnType<typeof openMailServer>>;
    let mailing: OpenedAlerts;
    let address: (name: string) => string;
    beforeEach(async () => {
      mail = await openMailServer();
      mailing = openAlertTests(opened, { mail: { SMTP_URL: mail.url, SMTP_FROM: 'gateway@example.com' } });
      address = (name) => `${name}-${accounts}@example.com`;
    });
    afterEach(async () => {
      await mailing.stop();
      await mail.close();
    });

    const sent = () => mail.mails.map(({ to, raw }) => [to[0], /^Subject: (.*)$/m.exec(raw)?.[1]?.trim()]).toSorted();
    const ask = (name: string, input: object) => mailing.ask(name, caller, input);
    const create = (input: object) => ask('POST /alerts', { name: 'mail', condition, ...input });
    const tokenFor = (email: string) => {
      const { raw = '' } = mail.mails.findLast(({ to }) => to[0] === email) ?? {};
      const text = withoutSoftBreaks(raw);
      return /https:\/\/gateway\.example\/alert-addresses\/([\w-]{43})\r?$/m.exec(text)?.[1] ?? '';
    };
    const link = (email: string) => ({ token: tokenFor(email), address: '192.0.2.1' });
    const asked = 'Subject: [Tallyport] Confirm this address for alerts'.slice('Subject: '.length);
    const unconfirmed = 'The address is not confirmed. Its owner opens the link that a test of the alert sends.';

    it('are sent to addresses whose owners have agreed', async () => {
      expect(await mailing.ask('GET /alerts', caller)).toMatchObject({ emailAvailable: true });
      const emails = [address('one'), address('two')] as [string, string];
      const { id, webhookSecret, unconfirmedEmails } = await create({ emails });
      expect([webhookSecret, unconfirmedEmails]).toEqual([undefined, emails]);
      expect(sent()).toEqual(emails.map((to) => [to, asked]));

      const [one, two] = emails;
      expect(await mailing.addresses.find(link(one))).toEqual({
        email: one,
        accountName: `Account ${caller.accountId}`,
      });
      expect((await ask('GET /alerts/{id}', { id })).unconfirmedEmails).toEqual(emails);
      const { token } = link(one);
      const uses = await Promise.all([1, 2, 3].map(() => mailing.addresses.confirm({ token, address: '192.0.2.1' })));
      expect(uses.filter(Boolean)).toHaveLength(1);
      expect(await mailing.addresses.find({ token, address: '192.0.2.1' })).toBeUndefined();
      expect((await ask('GET /alerts/{id}', { id })).unconfirmedEmails).toEqual([two]);

      mail.mails.length = 0;
      expect((await ask('POST /alerts/{id}/test', { id })).deliveries).toMatchObject([
        { channel: 'email', to: one, state: 'delivered', attempts: 1 },
        { channel: 'email', to: two, state: 'failed', attempts: 1, lastError: unconfirmed },
      ]);
      expect(sent()).toEqual([[one, '[Tallyport] Test: mail']]);

      await mailing.database.kysely
        .updateTable('alert_addresses')
        .set({ sent_at: new Date(Date.now() - 601_000) })
        .execute();
      await ask('POST /alerts/{id}/test', { id });
      expect(sent().filter(([to]) => to === two)).toEqual([[two, asked]]);
    });

    it('are not confirmed by a link whose time is after that of the database', async () => {
      const emails = [address('one')];
      const { id } = await create({ emails });
      await mailing.database.kysely
        .updateTable('alert_addresses')
        .set({ sent_at: new Date(Date.now() + 60_000) })
        .execute();
      expect((await ask('GET /alerts/{id}', { id })).unconfirmedEmails).toEqual(emails);
    });

    it('are confirmed in one account for all of its alerts, and not for other accounts', async () => {
      const emails = [address('one')] as [string];
      await create({ emails });
      await mailing.addresses.confirm(link(emails[0]));
      mail.mails.length = 0;
      expect(await create({ name: 'second', emails })).not.toHaveProperty('unconfirmedEmails');
      expect(sent()).toEqual([]);
      const stranger = await mailing.addAccount(`stranger-${accounts}`);
      const other = await mailing.ask('POST /alerts', stranger, { name: 'mail', condition, emails });
      expect(other.unconfirmedEmails).toEqual(emails);
    });

    it('have links that work for seven days', async () => {
      const email = address('one');
      await create({ emails: [email] });
      const { kysely } = mailing.database;
      const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
      await kysely
        .updateTable('alert_addresses')
        .set({ sent_at: daysAgo(7.001) })
        .where('email', '=', email)
        .execute();
      expect(await mailing.addresses.find(link(email))).toBeUndefined();
      expect(await mailing.addresses.confirm(link(email))).toBe(false);
      await kysely
        .updateTable('alert_addresses')
        .set({ sent_at: daysAgo(6.999) })
        .where('email', '=', email)
        .execute();
      expect(await mailing.addresses.confirm(link(email))).toBe(true);
    });

    it('ask at most twenty addresses at once, and each three times a day, in words that no account chooses', async () => {
      const chosen = 'Win a prize at https://evil.example';
      for (let at = 0; at < 3; at += 1) {
        const emails = Array.from({ length: 10 }, (_, index) => address(`victim${at}-${index}`));
        await create({ name: `${chosen} ${at}`, emails });
      }
      expect(mail.mails).toHaveLength(20);
      expect(mail.mails.filter(({ raw }) => raw.includes('prize') || raw.includes('evil'))).toEqual([]);

      mail.mails.length = 0;
      const email = address('one');
      for (let at = 0; at < 5; at += 1) {
        const other = await mailing.addAccount(`other-${accounts}-${at}`);
        await mailing.ask('POST /alerts', other, { name: 'mail', condition, emails: [email] });
      }
      expect(sent()).toEqual(Array.from({ length: 3 }, () => [email, asked]));
    });
  });

  it('keep one receiver', async () => {
    const { id } = await create();
    await expect(ask('PATCH /alerts/{id}', { id, webhook: null })).rejects.toMatchObject({ param: 'webhook' });
  });

  it('reach public addresses over https only', async () => {
    const strict = openAlertTests(opened, { allowLocal: false });
    const refused = strict.ask('POST /alerts', caller, { name: 'x', condition, webhook: { url: receiver.url } });
    await expect(refused).rejects.toMatchObject({ param: 'webhook.url' });
    const port = new URL(receiver.url).port;
    const url = `https://localhost:${port}/hook`;
    const { id } = await strict.ask('POST /alerts', caller, { name: 'x', condition, webhook: { url } });
    expect(await strict.ask('POST /alerts/{id}/test', caller, { id })).toMatchObject({
      deliveries: [{ state: 'failed', lastError: 'The receiver is not at a public https address.' }],
    });
    expect(receiver.received).toEqual([]);
    await strict.stop();
  });
});

/** What receivers compute, as docs/alerts.md says. */
function signatureOf({ headers, body }: ReceivedWebhook, secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
