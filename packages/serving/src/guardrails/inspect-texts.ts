import type { AskedRules } from '@tallyport/guardrails';
import type { Decider } from '../decider/decider.ts';
import { inspectByDecisions } from './decisions/inspect-by-decisions.ts';
import type { WebhookQuestion, Webhooks } from './webhooks/open-webhooks.ts';

/** Texts about which webhooks and models decide. */
export interface TextQuestion extends Omit<WebhookQuestion, 'webhooks'> {
  asked: AskedRules;
}

/** Returns the texts to go on with. Throws if a webhook or a model blocks them, or does not decide and its rule blocks. */
export type InspectTexts = (question: TextQuestion) => Promise<readonly string[]>;

export const inspectTexts =
  (webhooks: Pick<Webhooks, 'inspect'>, decider: Pick<Decider, 'ask'>): InspectTexts =>
  async ({ asked, ...question }) => {
    const texts = await webhooks.inspect({ ...question, webhooks: asked.webhooks });
    await inspectByDecisions(decider, { ...question, texts, decisions: asked.decisions });
    return texts;
  };
