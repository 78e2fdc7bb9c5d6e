import { type Finding, type Principal, toGatewayError } from '@tallyport/contracts';
import { createGuards, createTally, type CompiledGuardrails, redactRequest } from '@tallyport/guardrails';
import type { Link } from '@tallyport/bus';
import type { Kit } from '@tallyport/service-kit';
import { type GuardrailEvents, guardrailEvents } from './guardrail-events.ts';
import { openWebhooks, type Webhooks } from './webhooks/open-webhooks.ts';
import type { WebhookConfig } from './webhooks/webhook-client.ts';

/** The guardrails of callers. */
export interface GuardrailTools {
  /** The compiled rules of a caller; `undefined` without any. */
  of(principal: Principal | undefined): CompiledGuardrails | undefined;
  /**
   * What the caller's rules would do to a request, of which nothing is sent. Webhooks are not asked. Throws if the rules
   * cannot inspect the request.
   */
  explain(principal: Principal | undefined, request: unknown): Finding[] | undefined;
  events: GuardrailEvents;
  webhooks: Webhooks;
}

export function openGuardrails(kit: Kit<WebhookConfig>, link: Link): GuardrailTools {
  const guards = createGuards();
  const of: GuardrailTools['of'] = (principal) =>
    principal?.guardrails === undefined ? undefined : guards(principal.guardrails);
  return {
    of,
    explain(principal, request) {
      const check = of(principal)?.request;
      if (check === undefined) return undefined;
      const tally = createTally();
      try {
        redactRequest(request, check, { part: 'request', tally });
      } catch (thrown) {
        // The tally has the rule that would block the request.
        if (toGatewayError(thrown).code !== 'guardrail_blocked') throw thrown;
      }
      return tally.findings();
    },
    events: guardrailEvents(kit),
    webhooks: openWebhooks(kit, link),
  };
}
