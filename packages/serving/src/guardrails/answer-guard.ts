import { type Finding, GatewayError, type RequestHead, type UsageOperation } from '@switchyard/contracts';
import { type TextRules, createChunkGuard, createTally, redactAnswer, type RuleTally } from '@switchyard/guardrails';
import type { PaidAnswer, WholeAnswer } from '../paid-request.ts';
import { type EventGuard, guardedSlices, guardedSource } from './guarded-source.ts';
import type { GuardrailTools } from './open-guardrails.ts';

/** The rules for the answer of one request. */
export interface AnswerGuard {
  /** Throws `guardrail_blocked`; of a streamed answer, reading its events does. */
  guard(answer: PaidAnswer): PaidAnswer;
  /** What was found up to now. */
  findings(): Finding[];
}

/** Answers without texts. */
const textless: ReadonlySet<UsageOperation> = new Set(['embeddings', 'moderation', 'speech']);

/** `undefined` without rules. Throws if the answer could not be inspected: transcripts are passed on as they arrive. */
export function openAnswerGuard(
  tools: GuardrailTools,
  head: RequestHead,
  operation: UsageOperation,
): AnswerGuard | undefined {
  const check = tools.of(head.principal)?.answer;
  if (check === undefined || textless.has(operation)) return undefined;
  if (operation === 'transcription' || operation === 'translation') throw cannotInspect();
  const tally = createTally();
  const report = (): void => tools.events.found(head, 'answer', tally.findings());
  return { guard: (answer) => guardedAnswer(answer, { check, tally, report }), findings: tally.findings };
}

const cannotInspect = (): GatewayError =>
  new GatewayError(
    'unsupported_capability',
    "The account's guardrails have rules for answers, which cannot inspect transcripts. Use a key of an account without such rules.",
    { domain: 'policy' },
  );

interface Guarding {
  check: TextRules;
  tally: RuleTally;
  /** Called once, when the answer was inspected or left. */
  report(): void;
}

function guardedAnswer(answer: PaidAnswer, guarding: Guarding): PaidAnswer {
  const { content } = answer;
  if (content.kind === 'bytes') return answer;
  if (content.kind === 'stream') {
    const source = guardedSource(content.source, eventGuard(guarding), guarding.report);
    return { ...answer, content: { ...content, source } };
  }
  try {
    return { ...answer, content: guardedWhole(content, guarding) };
  } finally {
    guarding.report();
  }
}

/** Inspected at once, so that a blocked answer fails before anything of it is sent or cached. */
function guardedWhole(content: WholeAnswer, { check, tally }: Pick<Guarding, 'check' | 'tally'>): WholeAnswer {
  const { document, events } = content;
  const redacted = redactAnswer(JSON.parse(Buffer.concat(document()).toString()), check, { part: 'answer', tally });
  const bytes = Buffer.from(JSON.stringify(redacted));
  return {
    ...content,
    document: () => [bytes],
    // The same texts, which are counted already.
    ...(events && { events: () => guardedSlices(events(), eventGuard({ check, tally: createTally() })) }),
  };
}

const eventGuard = ({ check, tally }: Pick<Guarding, 'check' | 'tally'>): EventGuard => ({
  ...createChunkGuard(check, { part: 'answer', tally }),
  event: (event) => redactAnswer(event, check, { part: 'answer', tally }),
});
