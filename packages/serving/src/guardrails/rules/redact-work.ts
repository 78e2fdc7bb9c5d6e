import { GatewayError } from '@tallyport/contracts';
import { createTally, redactAnswer, redactRequest, type RuleTime, type TextRules } from '@tallyport/guardrails';
import { type RuleReply, type RuleWork, sentRuleError } from './rule-messages.ts';

/** Redacts a document with rules that are compiled already. Throws `UnfinishedRules`, or what is no error of a rule. */
export function redactWork({ part, document }: RuleWork, check: TextRules, time: RuleTime): RuleReply {
  const tally = createTally();
  try {
    const redaction = { part, tally, time };
    // A document stays one.
    const redacted = (
      part === 'request' ? redactRequest(document, check, redaction) : redactAnswer(document, check, redaction)
    ) as object;
    return { findings: tally.findings(), redacted };
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return { findings: tally.findings(), error: sentRuleError(thrown) };
  }
}
