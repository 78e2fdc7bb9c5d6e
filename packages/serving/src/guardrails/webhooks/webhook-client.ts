import { randomUUID } from 'node:crypto';
import { createClient, type Link } from '@tallyport/bus';
import {
  authService,
  GatewayError,
  type GuardWebhook,
  type GuardWebhookTest,
  type RequestHead,
  type WebhookVerdict,
} from '@tallyport/contracts';
import { createGate, type Gate } from '@tallyport/dispatch';
import { createPublicAgent, createPublicFetch, targetRules } from '@tallyport/outbound';
import { createAccountValues } from '@tallyport/store';
import type { ServingConfig } from '../../config.ts';
import { askWebhook, type WebhookTexts } from './ask-webhook.ts';
import { createWebhookBreakers } from './webhook-breakers.ts';
import type { WebhookEvents } from './webhook-events.ts';
import { WebhookFailure, webhookProblem } from './webhook-failure.ts';

/** Asks the webhooks of accounts, unless they are paused. */
export interface WebhookClient {
  /** Rejects if the webhook does not decide, or with the reason of the question's signal. */
  ask(name: string, question: AskedTexts & { caller: AbortSignal }): Promise<WebhookVerdict>;
  /** Asks about a sample, also while the webhook is paused. Throws `not_found`. */
  test(of: { accountId: string; id: string }): Promise<GuardWebhookTest>;
  start(): void;
  stop(): Promise<void>;
}

export interface AskedTexts extends WebhookTexts {
  head: RequestHead;
  /** Aborts at the deadline, or once no caller waits. */
  signal: AbortSignal;
}

export type WebhookConfig = Pick<ServingConfig, 'ALLOW_LOCAL_TARGETS' | 'PRIVATE_TARGETS'>;

interface OpenWebhook extends GuardWebhook {
  accountId: string;
  /** Bounds the requests that one process sends at once. */
  gate: Gate;
}

const loadMs = 2_000;
/** A person waits for a test. */
const testMs = 5_000;
const connectMs = 2_000;
/** Requests that one process sends to one webhook at once; further ones wait for their turn until their deadline. */
const mostConcurrent = 64;
/** A verdict with other texts is about as long as the texts. */
const mostAnswerBytes = 2 * 1024 * 1024;

interface WebhookClientOptions {
  config: WebhookConfig;
  link: Link;
  events: Pick<WebhookEvents, 'countPaused'>;
}

export function createWebhookClient({ config, link, events: { countPaused } }: WebhookClientOptions): WebhookClient {
  const auth = createClient(link, authService);
  const rules = targetRules(config);
  const agent = createPublicAgent({ connectMs, ...rules });
  const fetch = createPublicFetch({ agent, maxBytes: mostAnswerBytes, ...rules });
  const breakers = createWebhookBreakers({ report: auth.guardWebhookState.publish, countPaused });
  const known = createAccountValues<readonly OpenWebhook[]>({
    async load(accountId, before) {
      const { webhooks } = await auth.guardWebhooks({ accountId }, { timeoutMs: loadMs });
      const gateOf = (id: string) => before?.find((webhook) => webhook.id === id)?.gate ?? createGate(mostConcurrent);
      return webhooks.map((webhook) => ({ ...webhook, accountId, gate: gateOf(webhook.id) }));
    },
    sizeOf: (loaded) => JSON.stringify(loaded).length,
    away: (cause) => new WebhookFailure('unsent', 'could not be loaded', { cause }),
  });
  let unsubscribe = (): void => {};

  const run = (webhook: OpenWebhook, question: AskedTexts) => (): Promise<WebhookVerdict> => {
    const asked = webhook.gate.run(() => askWebhook(fetch, webhook, question), question.signal);
    return untilAborted(asked, question.signal);
  };

  return {
    async ask(name, { caller, ...question }) {
      const all = await untilAborted(known.of(question.head.principal?.accountId ?? ''), question.signal);
      const webhook = all.find((each) => each.name === name);
      if (webhook === undefined) throw new WebhookFailure('unsent', 'is no webhook of the account');
      return breakers.ask(webhook, { signal: caller, run: run(webhook, question) });
    },
    async test({ accountId, id }) {
      known.drop(accountId);
      const webhook = (await known.of(accountId)).find((each) => each.id === id);
      if (webhook === undefined) throw noSuchWebhook();
      const startedAt = performance.now();
      const tested = { signal: never, run: run(webhook, sampleFor(webhook)) };
      const answer = await breakers.askAnyway(webhook, tested).catch((thrown) => ({ problem: webhookProblem(thrown) }));
      const durationMs = performance.now() - startedAt;
      return 'problem' in answer ? { durationMs, ...answer } : { durationMs, verdict: answer.verdict };
    },
    start() {
      unsubscribe = auth.accountChanged.subscribe(({ accountId }) => known.drop(accountId));
    },
    async stop() {
      unsubscribe();
      breakers.close();
      await agent.close();
    },
  };
}

const { signal: never } = new AbortController();

const sampleFor = ({ accountId, name }: OpenWebhook): AskedTexts => ({
  head: { requestId: `test_${randomUUID()}`, timeoutMs: testMs, headers: {}, principal: { accountId, keyId: 'test' } },
  part: 'request',
  texts: [`This is a test of the webhook ${name}. Nothing has happened.`],
  signal: AbortSignal.timeout(testMs),
});

const noSuchWebhook = (): GatewayError =>
  new GatewayError('not_found', 'This webhook does not exist. List all webhooks: GET /api/v1/guard-webhooks');

/** Loading the webhooks does not know the signal. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
