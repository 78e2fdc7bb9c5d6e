import { type Finding, type Principal, toGatewayError } from '@tallyport/contracts';
import { createGuards, createTally, type CompiledGuardrails } from '@tallyport/guardrails';
import type { Link } from '@tallyport/bus';
import type { Kit } from '@tallyport/service-kit';
import type { Decider } from '../decider/decider.ts';
import { type GuardrailEvents, guardrailEvents } from './guardrail-events.ts';
import { inspectTexts, type InspectTexts } from './inspect-texts.ts';
import { redactByRules, type RuledDocument } from './rules/redact-by-rules.ts';
import { RuleThreads } from './rules/rule-threads.ts';
import { openWebhooks, type Webhooks } from './webhooks/open-webhooks.ts';
import type { WebhookConfig } from './webhooks/webhook-client.ts';

/** The guardrails of callers. */
export interface GuardrailTools {
  /** The compiled rules of a caller; `undefined` without any. */
  of(principal: Principal | undefined): CompiledGuardrails | undefined;
  /**
   * What the caller's rules would do to a request, of which nothing is sent. Webhooks and models are not asked. Throws
   * if the rules cannot inspect the request, or `overloaded`.
   */
  explain(asked: Pick<RuledDocument, 'bytes' | 'head' | 'signal'>, request: unknown): Promise<Finding[] | undefined>;
  /** Redacts a document with the caller's rules. Throws `guardrail_blocked`, or `overloaded`. */
  redact(document: RuledDocument): Promise<object>;
  /** Asks webhooks and models about texts. */
  inspect: InspectTexts;
  events: GuardrailEvents;
  webhooks: Webhooks;
  stop(): Promise<void>;
}

interface OpenGuardrailTools {
  link: Link;
  decider: Pick<Decider, 'ask'>;
}

export function openGuardrails(kit: Kit<WebhookConfig>, { link, decider }: OpenGuardrailTools): GuardrailTools {
  const guards = createGuards();
  const threads = new RuleThreads();
  const webhooks = openWebhooks(kit, link);
  const of: GuardrailTools['of'] = (principal) =>
    principal?.guardrails === undefined ? undefined : guards(principal.guardrails);
  return {
    of,
    async explain({ head, bytes, signal }, request) {
      const check = of(head.principal)?.request;
      // The endpoint explains what is wrong with other bodies.
      if (check === undefined || typeof request !== 'object' || request === null) return undefined;
      const tally = createTally();
      try {
        await redactByRules(threads, { head, part: 'request', check, document: request, bytes, tally, signal });
      } catch (thrown) {
        // The tally has the rule that would block the request.
        if (toGatewayError(thrown).code !== 'guardrail_blocked') throw thrown;
      }
      return tally.findings();
    },
    events: guardrailEvents(kit),
    webhooks,
    redact: (ruled) => redactByRules(threads, ruled),
    inspect: inspectTexts(webhooks, decider),
    async stop() {
      await Promise.all([webhooks.stop(), threads.stop()]);
    },
  };
}
