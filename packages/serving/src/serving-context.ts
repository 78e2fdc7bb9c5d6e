import type { IncomingExchange } from '@tallyport/bus';
import type { AnswerMemory } from './answer/answer-memory.ts';
import type { AnswerRoom } from './answer/answer-room.ts';
import type { Lease } from './byte-budget.ts';
import type { AnswerRecorder, ThroughCache } from './cache/index.ts';
import type { ContentLog, LoggedContent } from './content/content-log.ts';
import type { CallDetours } from './detours.ts';
import type { AnswerGuard } from './guardrails/answer-guard.ts';
import type { GuardrailTools } from './guardrails/open-guardrails.ts';
import type { Metering, RequestReservation } from './metering/index.ts';
import type { PaidEndpoint, PaidRequest, RequestDraft } from './paid-request.ts';

export interface ServingTools {
  metering: Metering;
  throughCache: ThroughCache;
  guardrails: GuardrailTools;
  contentLog: ContentLog;
  /** Absent if no request is a line of a batch. */
  detours?: CallDetours;
  /** Counts answers while they are read. Absent if the service counts them itself. */
  answers?: AnswerMemory;
  /** The longest silence on a stream. */
  keepAliveMs: number;
  /** The head of a stream is sent after this long, even without content. */
  headAfterMs: number;
}

/** A request that is being served. */
export interface ServingContext {
  tools: ServingTools;
  endpoint: PaidEndpoint;
  exchange: IncomingExchange;
  request: PaidRequest;
  draft: RequestDraft;
  lease: Lease;
  guard: AnswerGuard | undefined;
  /** The lease is released with the settlement then. */
  isAttempted: boolean;
  /** The headers of the answer known so far. */
  headers: Record<string, string>;
}

/** Its attempt, once it may be made. */
export interface PaidAttempt {
  recorder: AnswerRecorder | undefined;
  reserved: RequestReservation;
  content: LoggedContent | undefined;
  /** Aborts once no caller waits for the answer. */
  signal: AbortSignal;
  room: AnswerRoom | undefined;
  startedAt: number;
  settledAt: number | undefined;
}
