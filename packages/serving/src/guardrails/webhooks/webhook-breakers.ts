import type { GuardWebhookState, WebhookVerdict } from '@tallyport/contracts';
import { type Breakers, type BreakerState, createBreakers, type Verdict } from '@tallyport/dispatch';
import { WebhookFailure, webhookProblem } from './webhook-failure.ts';

/** A webhook and its account. */
interface BrokenWebhook {
  id: string;
  accountId: string;
}

/** Keeps questions away from webhooks that fail. */
export interface WebhookBreakers {
  /** Rejects like the question, and with WebhookFailure at once while the webhook is not asked. */
  ask(webhook: BrokenWebhook, question: BreakerQuestion): Promise<WebhookVerdict>;
  /** Asks also while the webhook is paused; a verdict ends the pause. */
  askAnyway(webhook: BrokenWebhook, question: BreakerQuestion): Promise<WebhookVerdict>;
  close(): void;
}

interface BreakerQuestion {
  run(): Promise<WebhookVerdict>;
  /** Aborts once no caller waits, which says nothing about the webhook. */
  signal: AbortSignal;
}

/** Failures in a row before a webhook is paused. */
export const toleratedFailures = 5;
const pauseMs = 10_000;

const usual = {
  failuresInARow: toleratedFailures,
  resetMs: pauseMs,
  windowMs: 60_000,
  idleMs: 600_000,
  // Only failures in a row count.
  errorPercentage: 100,
  volume: Number.MAX_SAFE_INTEGER,
};

interface WebhookBreakersOptions {
  report(state: GuardWebhookState): void;
  /** Counts the webhooks that are paused. */
  countPaused(by: 1 | -1): void;
  pauseMs?: number;
}

/** One breaker per webhook and process. After a pause one question is sent as a probe. */
export function createWebhookBreakers({ report, countPaused, ...options }: WebhookBreakersOptions): WebhookBreakers {
  const settings = { ...usual, resetMs: options.pauseMs ?? pauseMs };
  /** Webhooks whose last question failed. */
  const failing = new Map<string, { accountId: string; problem: string }>();
  const notAsked = new Set<string>();

  function changed(id: string, state: BreakerState): void {
    const { accountId = '', problem = '' } = failing.get(id) ?? {};
    if (state === 'open') {
      if (!notAsked.has(id)) countPaused(1);
      notAsked.add(id);
      report({ id, accountId, pausedUntil: new Date(Date.now() + settings.resetMs).toISOString(), problem });
    }
    if (state === 'closed') {
      failing.delete(id);
      if (!notAsked.delete(id)) return;
      countPaused(-1);
      report({ id, accountId, pausedUntil: null });
    }
  }
  const breakers: Breakers = createBreakers({ settings, onChange: changed });

  async function asked(
    how: 'call' | 'callAnyway',
    { id, accountId }: BrokenWebhook,
    { run, signal }: BreakerQuestion,
  ): Promise<WebhookVerdict> {
    let failure: unknown = paused();
    let verdict: WebhookVerdict | undefined;
    await breakers[how](id, async (): Promise<Verdict> => {
      try {
        verdict = await run();
        return 'succeeded';
      } catch (thrown) {
        failure = thrown;
        if (signal.aborted || isUnsent(thrown)) return 'unknown';
        failing.set(id, { accountId, problem: webhookProblem(thrown) });
        return 'failed';
      }
    });
    if (verdict === undefined) throw failure;
    if (!notAsked.has(id)) failing.delete(id);
    return verdict;
  }

  return {
    ask: (webhook, question) => asked('call', webhook, question),
    askAnyway: (webhook, question) => asked('callAnyway', webhook, question),
    close: breakers.close,
  };
}

const paused = (): WebhookFailure =>
  new WebhookFailure('paused', 'is not asked for a while, because it failed several times');

const isUnsent = (thrown: unknown): boolean => thrown instanceof WebhookFailure && thrown.kind === 'unsent';
