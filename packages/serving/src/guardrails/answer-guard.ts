import { type Finding, GatewayError, toGatewayError, type UsageOperation, paidOperations } from '@tallyport/contracts';
import type { IncomingExchange } from '@tallyport/bus';
import {
  areAsked,
  createChunkGuard,
  createTally,
  redactAnswer,
  type RuleTally,
  type TextRules,
} from '@tallyport/guardrails';
import type { PaidAnswer, StreamedAnswer, WholeAnswer } from '../paid-request.ts';
import { documentOf, totalBytes, withRoundedNumbers } from '@tallyport/wire';
import { eventSource } from '../stream/event-source.ts';
import { type EventGuard, guardedEvents, guardedSource } from './guarded-source.ts';
import { inspectDocument } from './inspect-document.ts';
import { inspectedSource } from './inspected-source.ts';
import type { GuardrailTools } from './open-guardrails.ts';

/** The rules for the answer of one request. */
export interface AnswerGuard {
  /**
   * Throws `guardrail_blocked`; of a streamed answer, reading its events does. Calls `inspected` once no finding can
   * follow; not if it throws.
   */
  guard(answer: PaidAnswer, by: GuardedRequest): Promise<PaidAnswer>;
  /** What was found up to now. */
  findings(): Finding[];
  /** Why a streamed answer ended early. */
  failure(): GatewayError | undefined;
}

interface GuardedRequest {
  /** Aborts once no caller waits for the answer. */
  signal: AbortSignal;
  inspected(): void;
}

/** `undefined` without rules. Throws if the answer could not be inspected: transcripts are passed on as they arrive. */
export function openAnswerGuard(
  tools: GuardrailTools,
  { head }: Pick<IncomingExchange, 'head'>,
  operation: UsageOperation,
): AnswerGuard | undefined {
  const check = tools.of(head.principal)?.answer;
  const { answer } = paidOperations[operation];
  if (check === undefined || answer === 'no texts') return undefined;
  if (answer === 'passed on') throw cannotInspect();
  const tally = createTally();
  let failure: GatewayError | undefined;
  const failed = (error: GatewayError): void => void (failure = error);
  const report = (): void => tools.events.found(head, 'answer', tally.findings());
  return {
    guard: (whole, by) => guardedAnswer(whole, { ...by, tools, head, check, tally, failed, report }),
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

interface Guarding extends GuardedRequest, Pick<IncomingExchange, 'head'> {
  tools: Pick<GuardrailTools, 'inspect' | 'redact'>;
  check: TextRules;
  tally: RuleTally;
  /** Called before the provider of a blocked stream is left. */
  failed(error: GatewayError): void;
  /** Called once, when the answer was inspected or left. */
  report(): void;
}

async function guardedAnswer(answer: PaidAnswer, guarding: Guarding): Promise<PaidAnswer> {
  const { content } = answer;
  const guarded = content.kind === 'bytes' ? content : await guardedContent(content, guarding);
  if (!areAsked(guarding.check.asked) || guarded.kind !== 'stream') guarding.inspected();
  return { ...answer, content: guarded };
}

function guardedContent(
  content: WholeAnswer | StreamedAnswer,
  guarding: Guarding,
): WholeAnswer | Promise<WholeAnswer> | StreamedAnswer {
  const asks = areAsked(guarding.check.asked);
  if (content.kind === 'whole' && (content.events === undefined || !asks)) return inspectedWhole(content, guarding);
  if (asks) return askedStream(content, guarding);
  const { source, ...streamed } = asStream(content);
  return { ...streamed, source: guardedSource(source, eventGuard(guarding), guarding.report) };
}

/** Inspected at once, so that a blocked answer fails before anything of it is sent or cached. */
async function inspectedWhole(content: WholeAnswer, guarding: Guarding): Promise<WholeAnswer> {
  const { tools, head, check, tally, signal, report } = guarding;
  try {
    // Threads take numbers only as numbers.
    const document = withRoundedNumbers(content.document.value(), new Set()) as object;
    const bytes = totalBytes(content.document.slices());
    const inspected = { head, part: 'answer', check, document, bytes, tally, signal } as const;
    return withDocument(content, (await inspectDocument(tools, inspected)) as object, guarding);
  } finally {
    report();
  }
}

function withDocument(content: WholeAnswer, document: object, { check, failed }: Guarding): WholeAnswer {
  const { events } = content;
  return {
    ...content,
    document: documentOf(document),
    // The same texts, which are counted already.
    ...(events && { events: () => guardedEvents(events(), eventGuard({ check, tally: createTally(), failed })) }),
  };
}

/** Webhooks and models are asked while the answer is sent. */
function askedStream(content: WholeAnswer | StreamedAnswer, guarding: Guarding): StreamedAnswer {
  const { tools, head, check, tally, signal, failed, report, inspected } = guarding;
  const { source, ...streamed } = asStream(content);
  signal.addEventListener('abort', inspected, { once: true });
  const inspection = {
    inspect: tools.inspect,
    question: { head, part: 'answer', asked: check.asked, tally, signal },
    onFailure: (thrown: unknown) => failed(toGatewayError(thrown)),
    onEnd() {
      report();
      inspected();
    },
  } as const;
  return { ...streamed, source: inspectedSource(guardedSource(source, eventGuard(guarding), ignore), inspection) };
}

/** A whole answer to a client that wants events. */
const asStream = (content: WholeAnswer | StreamedAnswer): StreamedAnswer => {
  if (content.kind === 'stream') return content;
  if (content.events === undefined) throw new TypeError('A whole answer to a streamed request needs `events`.');
  return { kind: 'stream', source: eventSource(content.events()), ending: () => undefined };
};

const redaction = (tally: RuleTally) => ({ part: 'answer', tally }) as const;

const ignore = (): void => {};

function eventGuard({ check, tally, failed }: Pick<Guarding, 'check' | 'tally' | 'failed'>): EventGuard {
  const chunks = createChunkGuard(check, redaction(tally));
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
    event: (event) => reporting(() => redactAnswer(event, check, redaction(tally))),
    end: () => reporting(chunks.end),
  };
}
