import { createClient, type Link } from '@switchyard/bus';
import {
  authService,
  GatewayError,
  type GuardWebhook,
  type RequestHead,
  type WebhookVerdict,
} from '@switchyard/contracts';
import { createGate, createPublicAgent, createPublicFetch, type Gate } from '@switchyard/dispatch';
import { blocked, type GuardedPart, type RuleTally, type WebhookRule } from '@switchyard/guardrails';
import type { Kit } from '@switchyard/service-kit';
import { createAccountValues } from '@switchyard/upstreams';
import type { ServingConfig } from '../../config.ts';
import { askWebhook, type WebhookTexts } from './ask-webhook.ts';
import { webhookEvents } from './webhook-events.ts';

/** The webhooks that guardrails of accounts name. */
export interface Webhooks {
  /**
   * Asks each webhook in turn and returns the texts to go on with. Throws `guardrail_blocked`; `unavailable` if a webhook
   * does not decide and its rule then blocks; or the signal's reason.
   */
  inspect(question: WebhookQuestion): Promise<readonly string[]>;
  start(): void;
  stop(): Promise<void>;
}

export interface WebhookQuestion extends WebhookTexts {
  head: RequestHead;
  webhooks: readonly WebhookRule[];
  tally: RuleTally;
  /** Aborts once no caller waits. */
  signal: AbortSignal;
}

interface OpenWebhook extends GuardWebhook {
  /** Bounds the requests that one process sends at once. */
  gate: Gate;
}

const loadMs = 2_000;
const connectMs = 2_000;
/** Requests that one process sends to one webhook at once; further ones wait for their turn until their deadline. */
const mostConcurrent = 64;
/** A verdict with other texts is about as long as the texts. */
const mostAnswerBytes = 2 * 1024 * 1024;

export function openWebhooks(kit: Kit<Pick<ServingConfig, 'GUARD_WEBHOOKS_ALLOW_LOCAL'>>, link: Link): Webhooks {
  const auth = createClient(link, authService);
  const rules = { allowLocal: kit.config.GUARD_WEBHOOKS_ALLOW_LOCAL };
  const agent = createPublicAgent({ connectMs, ...rules });
  const fetch = createPublicFetch({ agent, maxBytes: mostAnswerBytes, ...rules });
  const events = webhookEvents(kit);
  const known = createAccountValues<readonly OpenWebhook[]>({
    async load(accountId, before) {
      const { webhooks } = await auth.guardWebhooks({ accountId }, { timeoutMs: loadMs });
      const gateOf = (id: string) => before?.find((webhook) => webhook.id === id)?.gate;
      return webhooks.map((webhook) => ({ ...webhook, gate: gateOf(webhook.id) ?? createGate(mostConcurrent) }));
    },
    sizeOf: (loaded) => JSON.stringify(loaded).length,
    away: (cause) => new Error('the webhooks of the account could not be loaded', { cause }),
  });
  let unsubscribe = (): void => {};

  async function decide(name: string, { head, ...question }: AskedTexts): Promise<WebhookVerdict> {
    const all = await known.of(head.principal?.accountId ?? '');
    const webhook = all.find((each) => each.name === name);
    if (webhook === undefined) throw new TypeError('the account has no such webhook');
    return webhook.gate.run(() => askWebhook(fetch, webhook, { head, ...question }), question.signal);
  }

  /** `undefined` if the webhook does not decide in time. */
  async function verdictOf(
    rule: WebhookRule,
    { signal, ...question }: AskedTexts,
  ): Promise<WebhookVerdict | undefined> {
    const startedAt = performance.now();
    const either = AbortSignal.any([signal, AbortSignal.timeout(rule.timeoutMs)]);
    try {
      const verdict = await untilAborted(decide(rule.name, { ...question, signal: either }), either);
      events.asked(question.part, verdict.verdict, performance.now() - startedAt);
      return verdict;
    } catch (thrown) {
      signal.throwIfAborted();
      events.asked(question.part, 'failed', performance.now() - startedAt);
      events.failed(question.head, rule.name, thrown);
      return undefined;
    }
  }

  return {
    async inspect({ webhooks, tally, texts, ...question }) {
      let current = texts;
      if (texts.length === 0) return current;
      for (const rule of webhooks) {
        const verdict = await verdictOf(rule, { ...question, texts: current });
        current = textsAfter(verdict, { rule, tally, texts: current, part: question.part });
      }
      return current;
    },
    start() {
      unsubscribe = auth.accountChanged.subscribe(({ accountId }) => known.drop(accountId));
    },
    async stop() {
      unsubscribe();
      await agent.close();
    },
  };
}

type AskedTexts = WebhookTexts & Pick<WebhookQuestion, 'head' | 'signal'>;

interface Decided {
  rule: WebhookRule;
  tally: RuleTally;
  texts: readonly string[];
  part: GuardedPart;
}

function textsAfter(verdict: WebhookVerdict | undefined, { rule, tally, texts, part }: Decided): readonly string[] {
  const name = `webhook:${rule.name}`;
  if (verdict === undefined) {
    tally.add(name, rule.onFailure === 'allow' ? 'skip' : 'block');
    if (rule.onFailure === 'block') throw undecided(rule.name, part);
    return texts;
  }
  if (verdict.verdict === 'allow') return texts;
  if (verdict.verdict === 'block') {
    tally.add(name, 'block');
    throw blocked(name, part);
  }
  const replaced = texts.map((text, at) => verdict.texts[at] ?? text);
  for (const [at, text] of replaced.entries()) if (text !== texts[at]) tally.add(name, 'redact');
  return replaced;
}

const undecided = (name: string, part: GuardedPart): GatewayError =>
  new GatewayError(
    'unavailable',
    `The webhook '${name}' of the account's guardrails did not decide about the ${part}. Try again later, or ask an admin of the account.`,
    { domain: 'policy' },
  );

/** Loading the webhooks does not know the signal. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
