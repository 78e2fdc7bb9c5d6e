import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMailServer, withoutSoftBreaks } from '../../services/ledger-svc/src/alerts/testing/open-mail-server.ts';
import { type OAuthGateway, signedIn, startOneOAuthGateway } from '../oauth/gateway.ts';
import { createPerson } from '../oauth/person.ts';

describe('the link with which a person agrees to get alerts', () => {
  let mail: Awaited<ReturnType<typeof openMailServer>>;
  let gateway: OAuthGateway;
  beforeAll(async () => {
    mail = await openMailServer();
    gateway = await startOneOAuthGateway({ SMTP_URL: mail.url, SMTP_FROM: 'Tallyport <gateway@example.com>' });
  });
  afterAll(async () => {
    await gateway?.stop();
    await mail?.close();
  });

  test('is sent to the address, needs a click on its page, and works once', async () => {
    const owner = await signedIn(gateway);
    const email = 'ops@example.com';
    const condition = { type: 'budget', percent: 80 };
    const created = await owner.call('POST', '/api/v1/alerts', { name: 'spend', condition, emails: [email] });
    expect(created).toMatchObject({ status: 201, body: { unconfirmedEmails: [email] } });
    const { id } = created.body;
    const [{ to, raw } = { to: [], raw: '' }] = mail.mails;
    expect(to).toEqual([email]);
    const [link = ''] = /http:\/\/\S+\/alert-addresses\/\S+/.exec(withoutSoftBreaks(raw)) ?? [];
    expect((await owner.open('/dashboard/default/budgets')).text).toContain('not confirmed');

    const person = createPerson(gateway.baseUrl);
    // Programs that check mail open links.
    const pages = [await person.open(link), await person.open(link)];
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(pages[0]?.text).toContain(email);
    const unconfirmed = async () => (await owner.call('GET', `/api/v1/alerts/${String(id)}`)).body['unconfirmedEmails'];
    expect(await unconfirmed()).toEqual([email]);

    const elsewhere = await fetch(link, { method: 'POST', headers: { origin: 'https://evil.example' } });
    expect(elsewhere.status).toBe(403);
    expect(await unconfirmed()).toEqual([email]);
    const [page] = pages;
    expect(page && (await person.submit(page))).toMatchObject({
      status: 200,
      text: expect.stringContaining('You get alerts'),
    });
    expect(await unconfirmed()).toBeUndefined();
    expect((await owner.open('/dashboard/default/budgets')).text).not.toContain('not confirmed');
    expect((await person.open(link)).status).toBe(404);
    expect((await person.open('/alert-addresses/none')).status).toBe(404);

    const tested = await owner.call('POST', `/api/v1/alerts/${String(id)}/test`);
    expect(tested.body['deliveries']).toMatchObject([{ to: email, state: 'delivered' }]);
  });
});
