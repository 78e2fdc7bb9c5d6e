import { type ErrorCode, type FaultDomain, type Finding, GatewayError, type Guardrails } from '@tallyport/contracts';
import type { GuardedPart } from '@tallyport/guardrails';

/** A document to redact. */
export interface RuleWork {
  policies: readonly Guardrails[];
  part: GuardedPart;
  document: object;
}

export type RuleReply = { findings: Finding[] } & ({ redacted: object } | { error: RuleError });

interface RuleError {
  code: ErrorCode;
  message: string;
  domain: FaultDomain;
  param: string | undefined;
}

export const sentRuleError = ({ code, message, domain, param }: GatewayError): RuleError => ({
  code,
  message,
  domain,
  param,
});

export const receivedRuleError = ({ code, message, domain, param }: RuleError): GatewayError =>
  new GatewayError(code, message, { domain, ...(param !== undefined && { param }) });
