import type { RequestHead } from '@tallyport/contracts';
import { type GuardedPart, type RuleTally, RuleTime, type TextRules, UnfinishedRules } from '@tallyport/guardrails';
import { redactWork } from './redact-work.ts';
import { receivedRuleError, type RuleReply, type RuleWork } from './rule-messages.ts';
import type { RuleThreads } from './rule-threads.ts';

export interface RuledDocument {
  head: Pick<RequestHead, 'principal'>;
  part: GuardedPart;
  /** The caller's rules for this part. */
  check: TextRules;
  document: object;
  /** How large the document is, about. */
  bytes: number;
  tally: RuleTally;
  signal: AbortSignal;
}

/** Larger documents are redacted in a thread, if there is a rule to search. */
const mostBytesHere = 64 * 1024;
/** Smaller ones too, if their rules take longer than this. */
const mostMsHere = 20;
/** While a thread works for the account: many of its requests at once would add up. */
const mostMsBeside = 2;

/** Redacts a document with the caller's rules. Throws like `redactRequest`, or `overloaded`. */
export async function redactByRules(threads: RuleThreads, ruled: RuledDocument): Promise<object> {
  const { head, part, check, document, bytes, tally, signal } = ruled;
  const work: RuleWork = { policies: head.principal?.guardrails ?? [], part, document };
  const account = head.principal?.accountId ?? '';
  const reply =
    (bytes > mostBytesHere && check.rules.length > 0
      ? undefined
      : redactedHere(work, check, threads.serves(account) ? mostMsBeside : mostMsHere)) ??
    (await threads.redact(account, work, signal)) ??
    redactWork(work, check, new RuleTime({ mostMs: 0 }));
  return taken(reply, tally);
}

/** `undefined` if it takes too long. */
function redactedHere(work: RuleWork, check: TextRules, mostMs: number): RuleReply | undefined {
  try {
    return redactWork(work, check, new RuleTime({ mostMs, isFirst: true }));
  } catch (thrown) {
    if (thrown instanceof UnfinishedRules) return undefined;
    throw thrown;
  }
}

function taken(reply: RuleReply, tally: RuleTally): object {
  for (const { rule, action, count } of reply.findings) tally.add(rule, action, count);
  if ('error' in reply) throw receivedRuleError(reply.error);
  return reply.redacted;
}
