import { GatewayError, type Guardrails } from '@tallyport/contracts';
import { createGuards, createTally, type GuardedPart, type TextRules } from '@tallyport/guardrails';
import type { ManagementOperations } from '@tallyport/management';
import { redactByRules, RuleThreads } from '@tallyport/serving/rules';
import type { ApiCaller } from '@tallyport/management-server';
import type { z } from 'zod';

type TriedText = z.output<ManagementOperations['tryGuardrails']['output']>;

interface RuleTrial {
  policies: readonly Guardrails[];
  part: GuardedPart;
  text: string;
}

export interface RuleTrials {
  /** What rules do to a text, within the time that they have for a request. Webhooks and models are only named. */
  run(caller: Pick<ApiCaller, 'accountId'>, trial: RuleTrial): Promise<TriedText>;
  stop(): Promise<void>;
}

export function createRuleTrials(): RuleTrials {
  const guards = createGuards(100);
  const threads = new RuleThreads();

  async function redacted(
    accountId: string,
    { policies, part, text }: RuleTrial,
    check: TextRules,
  ): Promise<TriedText> {
    const tally = createTally();
    const principal = { accountId, keyId: '', guardrails: [...policies] };
    const document = { text };
    const bytes = Buffer.byteLength(text);
    // No caller leaves before the time of the rules is over.
    const { signal } = new AbortController();
    try {
      const after = await redactByRules(threads, { head: { principal }, part, check, document, bytes, tally, signal });
      const { text: now } = after as typeof document;
      const webhooks = check.asked.webhooks.map(({ name }) => name);
      const models = check.asked.decisions.map(({ model }) => model);
      return { verdict: now === text ? 'allow' : 'redact', text: now, findings: tally.findings(), webhooks, models };
    } catch (thrown) {
      if (!(thrown instanceof GatewayError) || thrown.code !== 'guardrail_blocked') throw thrown;
      return { verdict: 'block', findings: tally.findings(), webhooks: [], models: [] };
    }
  }

  return {
    async run({ accountId }, trial) {
      const check = guards(trial.policies)[trial.part];
      if (check === undefined) return { verdict: 'allow', text: trial.text, findings: [], webhooks: [], models: [] };
      return redacted(accountId, trial, check);
    },
    stop: () => threads.stop(),
  };
}
