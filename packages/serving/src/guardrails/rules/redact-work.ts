import { toGatewayError } from '@tallyport/contracts';
import {
  type CompiledGuardrails,
  createTally,
  redactAnswer,
  redactRequest,
  type RuleTime,
  UnfinishedRules,
} from '@tallyport/guardrails';
import { type RuleReply, type RuleWork, sentRuleError } from './rule-messages.ts';

/** Redacts a document with rules that are compiled already. Throws `UnfinishedRules` only. */
export function redactWork({ part, document }: RuleWork, compiled: CompiledGuardrails, time: RuleTime): RuleReply {
  const check = compiled[part];
  if (check === undefined) return { findings: [], redacted: document };
  const tally = createTally();
  try {
    const redaction = { part, tally, time };
    // A document stays one.
    const redacted = (
      part === 'request' ? redactRequest(document, check, redaction) : redactAnswer(document, check, redaction)
    ) as object;
    return { findings: tally.findings(), redacted };
  } catch (thrown) {
    if (thrown instanceof UnfinishedRules) throw thrown;
    return { findings: tally.findings(), error: sentRuleError(toGatewayError(thrown)) };
  }
}
