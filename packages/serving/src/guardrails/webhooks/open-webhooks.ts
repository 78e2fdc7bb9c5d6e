import type { Link } from '@tallyport/bus';
import { GatewayError, type RequestHead, type WebhookVerdict } from '@tallyport/contracts';
import { blocked, type GuardedPart, type RuleTally, type WebhookRule } from '@tallyport/guardrails';
import type { Kit } from '@tallyport/service-kit';
import type { WebhookTexts } from './ask-webhook.ts';
import { type AskedTexts, createWebhookClient, type WebhookClient, type WebhookConfig } from './webhook-client.ts';
import { webhookEvents } from './webhook-events.ts';
import { WebhookFailure } from './webhook-failure.ts';

/** The webhooks that guardrails of accounts name. */
export interface Webhooks extends Pick<WebhookClient, 'start' | 'stop' | 'test'> {
  /**
   * Asks each webhook in turn and returns the texts to go on with. Throws `guardrail_blocked`; `unavailable` if a webhook
   * does not decide and its rule then blocks; or the signal's reason.
   */
  inspect(question: WebhookQuestion): Promise<readonly string[]>;
}

export interface WebhookQuestion extends WebhookTexts {
  head: RequestHead;
  webhooks: readonly WebhookRule[];
  tally: RuleTally;
  /** Aborts once no caller waits. */
  signal: AbortSignal;
}

export function openWebhooks(kit: Kit<WebhookConfig>, link: Link): Webhooks {
  const events = webhookEvents(kit);
  const client = createWebhookClient({ config: kit.config, link, events });

  /** `undefined` if the webhook does not decide in time, or is paused. */
  async function verdictOf(
    rule: WebhookRule,
    { signal: caller, ...question }: AskedTexts,
  ): Promise<WebhookVerdict | undefined> {
    const startedAt = performance.now();
    const signal = AbortSignal.any([caller, AbortSignal.timeout(rule.timeoutMs)]);
    try {
      const verdict = await client.ask(rule.name, { ...question, caller, signal });
      events.asked(question.part, verdict.verdict, performance.now() - startedAt);
      return verdict;
    } catch (thrown) {
      caller.throwIfAborted();
      if (isPaused(thrown)) events.notAsked(question.part);
      else {
        events.asked(question.part, 'failed', performance.now() - startedAt);
        events.failed(question.head, rule.name, thrown);
      }
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
    test: client.test,
    start: client.start,
    stop: client.stop,
  };
}

const isPaused = (thrown: unknown): boolean => thrown instanceof WebhookFailure && thrown.kind === 'paused';

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
