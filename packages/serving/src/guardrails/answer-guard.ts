import {
  type Finding,
  GatewayError,
  type RequestHead,
  toGatewayError,
  type UsageOperation,
} from '@switchyard/contracts';
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
  /** Why a streamed answer ended early. */
  failure(): GatewayError | undefined;
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
  let failure: GatewayError | undefined;
  const failed = (error: GatewayError): void => void (failure = error);
  const report = (): void => tools.events.found(head, 'answer', tally.findings());
  return {
    guard: (answer) => guardedAnswer(answer, { check, tally, failed, report }),
    findings: tally.findings,
    failure: () => failure,
  };
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
  /** Called before the provider of a blocked stream is left. */
  failed(error: GatewayError): void;
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
function guardedWhole(content: WholeAnswer, { check, tally, failed }: Omit<Guarding, 'report'>): WholeAnswer {
  const { document, events } = content;
  const redacted = redactAnswer(JSON.parse(Buffer.concat(document()).toString()), check, { part: 'answer', tally });
  const bytes = Buffer.from(JSON.stringify(redacted));
  return {
    ...content,
    document: () => [bytes],
    // The same texts, which are counted already.
    ...(events && { events: () => guardedSlices(events(), eventGuard({ check, tally: createTally(), failed })) }),
  };
}

function eventGuard({ check, tally, failed }: Omit<Guarding, 'report'>): EventGuard {
  const chunks = createChunkGuard(check, { part: 'answer', tally });
  function reporting<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (thrown) {
      failed(toGatewayError(thrown));
      throw thrown;
    }
  }
  return {
    chunk: (chunk) => reporting(() => chunks.chunk(chunk)),
    event: (event) => reporting(() => redactAnswer(event, check, { part: 'answer', tally })),
    end: () => reporting(chunks.end),
  };
}
