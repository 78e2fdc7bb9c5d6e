import { afterEach, expect, test } from 'vitest';
import { openMailServer } from '../testing/open-mail-server.ts';
import type { AlertMessage } from './message.ts';
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
};

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function openServer(options?: { refuses?: number }) {
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
  await openSender(url).send('ops@example.com', message);
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
  await expect(openSender(url).send('ops@example.com', message)).rejects.toMatchObject(problem);
});

test('reports a wrong password, and a server that is away, without its words', async () => {
  const { url } = await openServer();
  const wrong = openSender(url.replace('secret', 'other')).send('ops@example.com', message);
  await expect(wrong).rejects.toMatchObject({
    message: 'The mail server refused the message with status 535.',
    final: false,
  });
  const away = openSender('smtp://127.0.0.1:1').send('ops@example.com', message);
  await expect(away).rejects.toMatchObject({ message: 'The mail server could not be reached.', final: false });
});
