import { afterEach, expect, test } from 'vitest';
import { type MailServerOptions, openMailServer } from '../testing/open-mail-server.ts';
import type { AlertMessage } from './message.ts';
import { alertMail } from './alert-mail.ts';
import { createEmailSender } from './send-email.ts';

const message: AlertMessage = {
  id: 'alert_event_1',
  kind: 'fired',
  at: new Date('2026-11-23T11:00:00Z'),
  alert: { id: 'alert_1', name: 'spend\r\nBcc: x@example.com', condition: { type: 'key_expiry', days: 3 } },
  account: { id: 'acme', name: 'Acme' },
  subject: { id: 'key_1', name: 'checkout' },
  value: 2.5,
  summary: 'The key checkout expires in 3 days.',
  links: { console: 'https://gateway.example/dashboard/acme/keys/key_1' },
};

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function openServer(options?: MailServerOptions) {
  const server = await openMailServer(options);
  closing.push(server.close);
  return server;
}

function openSender(url: string) {
  const sender = createEmailSender({ url, from: 'Tallyport <tallyport@example.com>' });
  closing.push(sender.close);
  return sender;
}

test('sends an e-mail to one address, after signing in to the mail server', async () => {
  const { url, mails } = await openServer();
  await openSender(url).send('ops@example.com', alertMail(message));
  expect(mails).toEqual([{ user: 'user', to: ['ops@example.com'], raw: expect.any(String) }]);
  const [head = '', body = ''] = (mails[0]?.raw ?? '').split('\r\n\r\n');
  expect(head).toContain('From: Tallyport <tallyport@example.com>');
  expect(head).toContain('To: ops@example.com');
  expect(head).toContain('Subject: [Tallyport] Alert: spend');
  expect(head).not.toMatch(/^Bcc:/m);
  expect(body).toContain('The key checkout expires in 3 days.');
});

test.each([
  [550, true],
  [451, false],
])('reports a refusal with status %i', async (refuses, final) => {
  const { url } = await openServer({ refuses });
  const problem = { message: `The mail server refused the message with status ${refuses}.`, final };
  await expect(openSender(url).send('ops@example.com', alertMail(message))).rejects.toMatchObject(problem);
});

test('reports a wrong password, and a server that is away, without its words', async () => {
  const { url } = await openServer();
  const wrong = openSender(url.replace('secret', 'other')).send('ops@example.com', alertMail(message));
  await expect(wrong).rejects.toMatchObject({
    message: 'The mail server refused the message with status 535.',
    final: false,
  });
  const away = openSender('smtp://127.0.0.1:1').send('ops@example.com', alertMail(message));
  await expect(away).rejects.toMatchObject({ message: 'The mail server could not be reached.', final: false });
});

/** This machine, by an address that is not known as loopback. */
const elsewhere = '[::ffff:127.0.0.1]';
const untrusted = '?tls.rejectUnauthorized=false';
const unencrypted = 'The mail server offers no encryption that can be used, so nothing was sent.';

test.each<[string, { startTls: boolean; host: string; query?: string }, boolean[] | string]>([
  ['nothing to a server without STARTTLS', { startTls: false, host: elsewhere }, unencrypted],
  [
    'nothing to a server with a certificate that is not trusted',
    { startTls: true, host: elsewhere },
    'The mail server could not be reached.',
  ],
  ['the password over TLS', { startTls: true, host: elsewhere, query: untrusted }, [true]],
  [
    'the password in the clear if the URL says so',
    { startTls: false, host: elsewhere, query: '?requireTLS=false' },
    [false],
  ],
  ['the password in the clear to this machine', { startTls: false, host: '127.0.0.1' }, [false]],
])('sends %s', async (_what, { startTls, host, query = '' }, expected) => {
  const { port, mails, signIns } = await openServer({ startTls });
  const sent = openSender(`smtp://user:secret@${host}:${port}${query}`).send('ops@example.com', alertMail(message));
  const problem = await sent.then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect([problem ?? signIns, mails.length]).toEqual([expected, problem === undefined ? 1 : 0]);
  expect(signIns).toEqual(problem === undefined ? expected : []);
});

test('has no lines and headers but ours, even if names have line breaks', async () => {
  const { url, mails } = await openServer();
  const broken = 'a\r\nBcc: x@example.com\r\n\r\nPay here\u2028now\u0000';
  const named = {
    ...message,
    alert: { ...message.alert, name: broken },
    account: { id: 'a', name: broken },
    summary: broken,
  };
  await openSender(url).send('ops@example.com', alertMail(named));
  expect(mails.map(({ to }) => to)).toEqual([['ops@example.com']]);
  const [head = '', ...body] = (mails[0]?.raw ?? '').split('\r\n\r\n');
  const flat = 'a Bcc: x@example.com Pay here now ';
  expect(head.replaceAll(/\r\n\s/g, ' ')).toContain(`Subject: [Tallyport] Alert: ${flat.trim()}`);
  expect(head).not.toMatch(/^Bcc:/m);
  const facts = [`Alert: ${flat}`, `Account: ${flat}`, 'Time: 2026-11-23T11:00:00.000Z'];
  const links = `Open in the console: ${message.links.console}\r\n`;
  expect(body).toEqual([flat, facts.join('\r\n'), links]);
});
