import { createHmac } from 'node:crypto';
import type { GuardWebhookState } from '@tallyport/contracts';
import { createTally } from '@tallyport/guardrails';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openWebhookReceiver, webhookSecret } from '../../testing/webhook-receiver.ts';
import { mostWebhookBytes } from './ask-webhook.ts';
import { toleratedFailures } from './webhook-breakers.ts';
import type { WebhookQuestion } from './open-webhooks.ts';

let opened: Awaited<ReturnType<typeof openWebhookReceiver>>;
beforeAll(async () => {
  opened = await openWebhookReceiver();
});
beforeEach(async () => {
  opened.receiver.reply = async () => ({ body: '{"verdict":"allow"}' });
  // Failures of tests are not in a row.
  await inspect(['one']);
  opened.receiver.received.length = 0;
});
afterAll(() => opened.close());

const head = { requestId: 'req_1', timeoutMs: 1_000, headers: {}, principal: { accountId: 'a', keyId: 'k' } };
const rule = { name: 'dlp', onFailure: 'block', timeoutMs: 10_000, portion: 1_000 } as const;

async function inspect(texts: string[], changes: Partial<WebhookQuestion> = {}) {
  const tally = createTally();
  const { signal } = new AbortController();
  const question = { head, part: 'request', webhooks: [rule], texts, tally, signal, ...changes } as const;
  const [result] = await Promise.allSettled([opened.webhooks.inspect(question)]);
  if (result.status === 'fulfilled') return { texts: result.value, findings: tally.findings() };
  const { code, status, message } = result.reason;
  return { code, status, message, findings: tally.findings() };
}

const replyWith = (reply: object): void => {
  opened.receiver.reply = async () => ({ body: JSON.stringify(reply) });
};
const undecided = {
  code: 'unavailable',
  status: 503,
  message:
    "The webhook 'dlp' of the account's guardrails did not decide about the request. Try again later, or ask an admin of the account.",
  findings: [{ rule: 'webhook:dlp', action: 'block', count: 1 }],
};
const failingOpen = { webhooks: [{ ...rule, onFailure: 'allow' as const }] };

test('a webhook gets the texts and who asks, signed', async () => {
  expect(await inspect(['one', 'two'])).toEqual({ texts: ['one', 'two'], findings: [] });
  const [question] = opened.receiver.received;
  expect(JSON.parse(question?.body ?? '')).toEqual({
    requestId: 'req_1',
    account: 'a',
    key: 'k',
    part: 'request',
    texts: ['one', 'two'],
  });
  expect(question?.headers['content-type']).toBe('application/json');
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature } = question?.headers ?? {};
  const key = Buffer.from(webhookSecret, 'base64');
  expect(signature).toBe(
    `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${question?.body}`).digest('base64')}`,
  );
  expect(Math.abs(Date.now() / 1_000 - Number(seconds))).toBeLessThan(60);
});

test('a webhook blocks', async () => {
  replyWith({ verdict: 'block' });
  expect(await inspect(['one'])).toEqual({
    code: 'guardrail_blocked',
    status: 400,
    message:
      "The request was blocked by the rule 'webhook:dlp' of the account's guardrails. Remove what the rule forbids, or ask an admin of the account.",
    findings: [{ rule: 'webhook:dlp', action: 'block', count: 1 }],
  });
});

test('a webhook replaces texts, and the next one gets the replaced texts', async () => {
  opened.behind.webhooks.push({ ...opened.behind.webhooks[0]!, id: 'guard_webhook_2', name: 'second' });
  opened.changed('a');
  replyWith({ verdict: 'redact', texts: ['[name]', null, 'three'] });
  const both = await inspect(['Ada', 'two', 'three'], { webhooks: [rule, { ...rule, name: 'second' }] });
  opened.behind.webhooks.pop();
  opened.changed('a');
  expect(both).toEqual({
    texts: ['[name]', 'two', 'three'],
    findings: [{ rule: 'webhook:dlp', action: 'redact', count: 1 }],
  });
  expect(opened.receiver.received.map(({ body }) => JSON.parse(body).texts)).toEqual([
    ['Ada', 'two', 'three'],
    ['[name]', 'two', 'three'],
  ]);
});

test('no webhook is asked about nothing', async () => {
  expect(await inspect([])).toEqual({ texts: [], findings: [] });
  expect(opened.receiver.received).toEqual([]);
});

describe.each([
  ['another status', async () => ({ status: 201, body: '{"verdict":"allow"}' })],
  ['a redirect', async () => ({ status: 302, headers: { location: opened.url }, body: '' })],
  ['no JSON', async () => ({ body: 'yes' })],
  ['an unknown verdict', async () => ({ body: '{"verdict":"maybe"}' })],
  ['too few texts', async () => ({ body: '{"verdict":"redact","texts":[]}' })],
  [
    'too long an answer',
    async () => ({ body: JSON.stringify({ verdict: 'allow', why: 'x'.repeat(2 * 1024 * 1024) }) }),
  ],
  ['no answer in time', () => new Promise<never>(() => {})],
])('%s', (name, reply) => {
  // On a busy machine, the question itself takes hundreds of milliseconds.
  const timeoutMs = name === 'no answer in time' ? 1_500 : 10_000;
  test('blocks or lets pass, as the rule says', async () => {
    opened.receiver.reply = reply;
    expect(await inspect(['one'], { webhooks: [{ ...rule, timeoutMs }] })).toEqual(undecided);
    expect(await inspect(['one'], { webhooks: [{ ...rule, timeoutMs, onFailure: 'allow' }] })).toEqual({
      texts: ['one'],
      findings: [{ rule: 'webhook:dlp', action: 'skip', count: 1 }],
    });
    expect(opened.receiver.received).toHaveLength(2);
  });
});

test('texts are sent up to a size, and longer ones count as not decided', async () => {
  const around = Buffer.byteLength(
    JSON.stringify({ requestId: 'req_1', account: 'a', key: 'k', part: 'request', texts: [''] }),
  );
  const longest = 'x'.repeat(mostWebhookBytes - around);
  expect(await inspect([longest])).toEqual({ texts: [longest], findings: [] });
  expect(await inspect([`${longest}x`])).toEqual(undecided);
  expect(await inspect(['ä'.repeat(mostWebhookBytes / 2)])).toEqual(undecided);
  expect(opened.receiver.received).toHaveLength(1);
});

test('one process sends 64 requests to a webhook at once, and further ones wait', async () => {
  const answers: (() => void)[] = [];
  opened.receiver.reply = () => new Promise((resolve) => answers.push(() => resolve({ body: '{"verdict":"allow"}' })));
  const asked = Promise.all(Array.from({ length: 66 }, () => inspect(['one'])));
  await expect.poll(() => answers.length).toBe(64);
  answers.splice(0).forEach((answer) => answer());
  await expect.poll(() => answers.length).toBe(2);
  answers.forEach((answer) => answer());
  expect(await asked).toEqual(Array.from({ length: 66 }, () => ({ texts: ['one'], findings: [] })));
  expect(opened.receiver.mostAtOnce).toBe(64);
});

test('a caller who leaves ends the question', async () => {
  const left = new AbortController();
  const arrived = new Promise<void>((resolve) => {
    opened.receiver.reply = () => new Promise<never>(() => resolve());
  });
  const asked = opened.webhooks.inspect({
    head,
    part: 'request',
    webhooks: failingOpen.webhooks,
    texts: ['one'],
    tally: createTally(),
    signal: left.signal,
  });
  await arrived;
  left.abort(new Error('left'));
  await expect(asked).rejects.toThrow('left');
});

test('a webhook that the account lacks does not decide', async () => {
  expect(await inspect(['one'], { webhooks: [{ ...rule, name: 'gone', onFailure: 'allow' }] })).toEqual({
    texts: ['one'],
    findings: [{ rule: 'webhook:gone', action: 'skip', count: 1 }],
  });
});

test('questions are counted by what was decided', async () => {
  const counted = async () =>
    Number(
      /gateway_guard_webhook_duration_seconds_count\{part="request",outcome="block"\} (\d+)/.exec(
        await opened.metrics(),
      )?.[1] ?? 0,
    );
  const before = await counted();
  replyWith({ verdict: 'block' });
  await inspect(['one']);
  expect(await counted()).toBe(before + 1);
});

test('a webhook that fails several times in a row is not asked for a while, with both kinds of rules', async () => {
  const { webhooks, receiver, behind, metrics, close } = await openWebhookReceiver();
  const { signal } = new AbortController();
  const states: GuardWebhookState[] = [];
  behind.onState((state) => void states.push(state));
  receiver.reply = async () => ({ status: 500, body: '' });
  const question = (onFailure: 'allow' | 'block') => {
    const tally = createTally();
    const asked = webhooks.inspect({
      head,
      part: 'request',
      webhooks: [{ ...rule, onFailure }],
      texts: ['one'],
      tally,
      signal,
    });
    return asked.then(
      () => tally.findings(),
      ({ code }) => code,
    );
  };
  for (let at = 0; at < toleratedFailures; at += 1) await question('allow');
  expect([await question('block'), await question('allow')]).toEqual([
    'unavailable',
    [{ rule: 'webhook:dlp', action: 'skip', count: 1 }],
  ]);
  expect(receiver.received).toHaveLength(toleratedFailures);
  expect(await metrics()).toContain('gateway_guard_webhooks_paused 1');
  expect(await metrics()).toContain('gateway_guard_webhook_not_asked_total{part="request"} 2');
  await expect
    .poll(() => states)
    .toEqual([
      {
        id: 'guard_webhook_1',
        accountId: 'a',
        pausedUntil: expect.any(String),
        problem: 'The webhook answered with status 500.',
      },
    ]);
  const test = () => webhooks.test({ accountId: 'a', id: 'guard_webhook_1' });
  expect(await test()).toEqual({ durationMs: expect.any(Number), problem: 'The webhook answered with status 500.' });
  receiver.reply = async () => ({ body: '{"verdict":"redact","texts":["x"]}' });
  expect(await test()).toEqual({ durationMs: expect.any(Number), verdict: 'redact' });
  expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toEqual({
    requestId: expect.stringMatching(/^test_/),
    account: 'a',
    key: 'test',
    part: 'request',
    texts: ['This is a test of the webhook dlp. Nothing has happened.'],
  });
  expect(await question('block')).toEqual([{ rule: 'webhook:dlp', action: 'redact', count: 1 }]);
  await expect.poll(() => states.at(-1)).toEqual({ id: 'guard_webhook_1', accountId: 'a', pausedUntil: null });
  await expect(webhooks.test({ accountId: 'a', id: 'another' })).rejects.toMatchObject({ code: 'not_found' });
  await close();
});

test('addresses that are not public are not contacted', async () => {
  const strict = await openWebhookReceiver({ allowLocal: false });
  const question = { head, part: 'request', webhooks: [rule], texts: ['one'], tally: createTally() } as const;
  const { signal } = new AbortController();
  await expect(strict.webhooks.inspect({ ...question, signal })).rejects.toMatchObject({ code: 'unavailable' });
  expect(strict.receiver.received).toEqual([]);
  await strict.close();
});
