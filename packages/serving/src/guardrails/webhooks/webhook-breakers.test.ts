import type { GuardWebhookState, WebhookVerdict } from '@tallyport/contracts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWebhookBreakers, toleratedFailures, type WebhookBreakers } from './webhook-breakers.ts';
import { WebhookFailure } from './webhook-failure.ts';

const webhook = { id: 'w', accountId: 'a' };
const allow: WebhookVerdict = { verdict: 'allow' };
const { signal } = new AbortController();
const failure = () => new WebhookFailure('answer', 'answered with status 500');
const pausedError = 'is not asked for a while, because it failed several times';

let breakers: WebhookBreakers;
let reported: GuardWebhookState[];
let asked: number;
let paused: number;
beforeEach(() => {
  [reported, asked, paused] = [[], 0, 0];
  breakers = createWebhookBreakers({
    report: (state) => void reported.push(state),
    countPaused: (by) => (paused += by),
    pauseMs: 200,
  });
});
afterEach(() => breakers.close());

const ask = (answer: () => Promise<WebhookVerdict>, how: 'ask' | 'askAnyway' = 'ask') =>
  breakers[how](webhook, {
    signal,
    run: () => {
      asked += 1;
      return answer();
    },
  }).then(
    ({ verdict }) => verdict,
    (error: Error) => error.message,
  );
const fails = () => Promise.reject(failure());
const answers = async () => allow;
async function pause(): Promise<void> {
  for (let at = 0; at < toleratedFailures; at += 1) await ask(fails);
}

test('a webhook that fails several times in a row is not asked for a while', async () => {
  for (let at = 1; at < toleratedFailures; at += 1) await ask(fails);
  expect([await ask(answers), paused]).toEqual(['allow', 0]);
  await pause();
  expect([await ask(answers), asked, paused]).toEqual([pausedError, 2 * toleratedFailures, 1]);
  expect(reported).toEqual([
    {
      id: 'w',
      accountId: 'a',
      pausedUntil: expect.any(String),
      problem: 'The webhook answered with status 500.',
    },
  ]);
});

test('after the pause one question is a probe, and its verdict ends the pause', async () => {
  await pause();
  const before = asked;
  const probe = Promise.withResolvers<WebhookVerdict>();
  const questions: Promise<string>[] = [];
  await expect
    .poll(() => {
      questions.push(ask(() => probe.promise));
      return asked;
    })
    .toBe(before + 1);
  expect(await ask(answers)).toBe(pausedError);
  probe.resolve(allow);
  expect((await Promise.all(questions)).at(-1)).toBe('allow');
  expect([await ask(answers), paused, asked]).toEqual(['allow', 0, before + 2]);
  expect(reported.at(-1)).toEqual({ id: 'w', accountId: 'a', pausedUntil: null });
});

test('a probe that fails begins another pause', async () => {
  await pause();
  const before = asked;
  await expect.poll(() => ask(fails).then(() => asked)).toBe(before + 1);
  expect([await ask(answers), paused, reported.length]).toEqual([pausedError, 1, 2]);
});

test('a question past the pause ends it with a verdict', async () => {
  await pause();
  expect(await ask(fails, 'askAnyway')).toBe('answered with status 500');
  expect(await ask(answers)).toBe(pausedError);
  expect(await ask(answers, 'askAnyway')).toBe('allow');
  expect([await ask(answers), paused]).toEqual(['allow', 0]);
});

test('what says nothing about the webhook does not count', async () => {
  const left = AbortSignal.abort();
  for (let at = 0; at < 2 * toleratedFailures; at += 1) {
    await ask(() => Promise.reject(new WebhookFailure('unsent', 'got no question')));
    await breakers.ask(webhook, { signal: left, run: fails }).catch(() => {});
  }
  expect([await ask(answers), paused, reported]).toEqual(['allow', 0, []]);
});
