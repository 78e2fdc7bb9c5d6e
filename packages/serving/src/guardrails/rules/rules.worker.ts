import { parentPort } from 'node:worker_threads';
import { toGatewayError } from '@tallyport/contracts';
import { createGuards, RuleTime } from '@tallyport/guardrails';
import { redactWork } from './redact-work.ts';
import { type RuleReply, type RuleWork, sentRuleError } from './rule-messages.ts';

/** For one request or answer. */
const mostMs = 2_000;

// Started as a thread by rule-thread.ts.
const guards = createGuards(100);
parentPort?.on('message', (work: RuleWork) => parentPort?.postMessage(replyTo(work)));

function replyTo(work: RuleWork): RuleReply {
  const check = guards(work.policies)[work.part];
  if (check === undefined) return { findings: [], redacted: work.document };
  try {
    return redactWork(work, check, new RuleTime({ mostMs }));
  } catch (thrown) {
    return { findings: [], error: sentRuleError(toGatewayError(thrown)) };
  }
}
