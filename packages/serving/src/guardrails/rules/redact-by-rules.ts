import type { Finding, RequestHead } from '@tallyport/contracts';
import {
  type CompiledGuardrails,
  type GuardedPart,
  type RuleTally,
  RuleTime,
  UnfinishedRules,
} from '@tallyport/guardrails';
import { redactWork } from './redact-work.ts';
import { receivedRuleError, type RuleReply, type RuleWork } from './rule-messages.ts';
import type { RuleThreads } from './rule-threads.ts';

export interface RuledDocument {
  head: Pick<RequestHead, 'principal'>;
  part: GuardedPart;
  document: object;
  /** How large the document is, about. */
  bytes: number;
  tally: RuleTally;
  signal: AbortSignal;
}

/** Larger documents are redacted in a thread. */
const mostBytesHere = 64 * 1024;
/** Smaller ones too, if their rules take longer than this. */
const mostMsHere = 20;

/** Redacts a document with the caller's rules. Throws like `redactRequest`, or `overloaded`. */
export async function redactByRules(
  threads: RuleThreads,
  compiled: CompiledGuardrails,
  ruled: RuledDocument,
): Promise<object> {
  const { head, part, document, bytes, tally, signal } = ruled;
  const work: RuleWork = { policies: head.principal?.guardrails ?? [], part, document };
  const account = head.principal?.accountId ?? '';
  const reply =
    (bytes > mostBytesHere ? undefined : redactedHere(work, compiled)) ??
    (await threads.redact(account, work, signal)) ??
    redactWork(work, compiled, new RuleTime({ mostMs: 0 }));
  return taken(reply, tally);
}

/** `undefined` if it takes too long. */
function redactedHere(work: RuleWork, compiled: CompiledGuardrails): RuleReply | undefined {
  try {
    return redactWork(work, compiled, new RuleTime({ mostMs: mostMsHere, isFirst: true }));
  } catch (thrown) {
    if (thrown instanceof UnfinishedRules) return undefined;
    throw thrown;
  }
}

function taken(reply: RuleReply, tally: RuleTally): object {
  reply.findings.forEach((finding) => addTo(tally, finding));
  if ('error' in reply) throw receivedRuleError(reply.error);
  return reply.redacted;
}

function addTo(tally: RuleTally, { rule, action, count }: Finding): void {
  for (let added = 0; added < count; added += 1) tally.add(rule, action);
}
