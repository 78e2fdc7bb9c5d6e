import type { KeyObject } from 'node:crypto';
import {
  batchedCallSchema,
  type BatchedCall,
  batchedStatus,
  costHeader,
  errorBody,
  type GatewayError,
  type LineOfBatch,
  type Principal,
  savedHeader,
  toGatewayError,
} from '@tallyport/contracts';
import type { InputLine } from '@tallyport/wire';
import type { StoredBatch } from '../batches/stored-batches.ts';
import { customIdIn } from '../lines/custom-id.ts';
import { requestIn } from '../lines/request-in.ts';
import type { AnsweredBy } from '../batches/answered-by.ts';
import type { AnsweredLine } from '../results/result-lines.ts';
import { onceKeyOf } from '../results/sealed-result.ts';
import type { LineEndpoint } from './line-runners.ts';

export interface LineResult extends AnsweredLine {
  /** What its record costs in USD. */
  cost: number;
  /** Absent if no provider has answered it. */
  by?: Omit<AnsweredBy, 'lines' | 'cost'> | undefined;
}

/** A line that cannot run now: it is tried again, unless it has a `result` and was tried often enough. */
export interface WaitingLine {
  waits: true;
  /** The process that should have run it has other work. */
  isBusy: boolean;
  retryAfterMs: number;
  /** The result that it has if it is not tried again; absent where only time helps. */
  result: LineResult | undefined;
}

export interface LineRun {
  batch: StoredBatch;
  key: KeyObject;
  principal: Principal;
  endpoint: LineEndpoint;
  signal: AbortSignal;
}

/** As long as an answer may take. */
const lineMs = 15 * 60_000;
/** Larger than any answer. */
const mostAnswerBytes = 256 * 1024 ** 2;

/** A line whose call a batch of its vendor can make. */
export interface DeferredLine {
  line: number;
  deferred: BatchedCall;
}

/** How a line may be answered by a batch of its vendor. */
interface VendorWay {
  mayDefer?: true | undefined;
  /** What such a batch has answered. */
  answered?: (Pick<BatchedCall, 'providerId' | 'model' | 'key'> & { answer: Buffer; answeredAt: Date }) | undefined;
  /** How many answers were lost: they were not kept, and the replica that got them has died. */
  lost?: number;
}

const mostLost = 3;

/** Runs a line as the request of a client. Rejects only if `signal` aborts. */
export async function runLine(
  run: LineRun,
  line: InputLine,
  way: VendorWay = {},
): Promise<LineResult | WaitingLine | DeferredLine> {
  const { batch, endpoint, signal } = run;
  const requestId = requestIdOf(batch, line.number);
  const known = { line: line.number, customId: customIdIn(line.bytes), requestId, cost: 0 };
  try {
    const { head, body } = await endpoint.run({
      head: headOf(run, line.number, way),
      body: bodyOf(line.bytes, way),
      signal,
    });
    const answer = Buffer.from(await body.bytes(mostAnswerBytes));
    if (way.mayDefer && head.status === batchedStatus)
      return { line: line.number, deferred: batchedCallSchema.parse(JSON.parse(answer.toString())) };
    const cost = Number(head.headers[costHeader] ?? 0);
    const { status, headers } = head;
    const outcome = outcomeOf(status);
    const result = { ...known, outcome, status, body: answer, cost, by: answeredBy(headers, way) };
    return waitingFor({ status, retryAfterMs: retryAfterOf(headers) }, result) ?? result;
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toGatewayError(thrown);
    const { lost = 0 } = way;
    if (error.code === 'idempotency_conflict' && lost < mostLost) return runLine(run, line, { ...way, lost: lost + 1 });
    const { status, body } = errorAnswer(error, { endpoint, requestId });
    const result = { ...known, outcome: 'failed', status, body } as const;
    return waitingFor(error, result) ?? result;
  }
}

const requestIdOf = ({ id }: StoredBatch, line: number): string => `${id}-${line}`;

function headOf(run: LineRun, line: number, way: VendorWay) {
  const { batch, key, principal } = run;
  return {
    requestId: requestIdOf(batch, line),
    principal,
    timeoutMs: lineMs,
    headers: { ...batch.headers, 'idempotency-key': onceKeyOf({ key, line }, way.lost) },
    batch: lineOf(run, line, way),
  };
}

/** The time of its records is stored, so that it is the same after a death. */
function lineOf({ batch }: LineRun, line: number, { mayDefer, answered }: VendorWay): LineOfBatch {
  const { id, inProgressAt, createdAt } = batch;
  if (answered === undefined) return { id, line, mayDefer, recordAt: (inProgressAt ?? createdAt).toISOString() };
  const { answer, answeredAt, ...by } = answered;
  return { id, line, recordAt: answeredAt.toISOString(), answered: { ...by, bytes: answer.length } };
}

/** The answer of a vendor follows the request. */
function bodyOf(line: Buffer, { answered }: VendorWay): Buffer {
  const body = requestIn(line);
  return answered === undefined ? body : Buffer.concat([body, answered.answer]);
}

function answeredBy(headers: Readonly<Record<string, string>>, { answered }: VendorWay): LineResult['by'] {
  const provider = headers['x-tallyport-provider'];
  if (provider === undefined) return undefined;
  return { provider, price: answered === undefined ? 'standard' : 'batch', saved: Number(headers[savedHeader] ?? 0) };
}

const outcomeOf = (status: number): LineResult['outcome'] => (status < 400 ? 'completed' : 'failed');

function errorAnswer(error: GatewayError, { endpoint, requestId }: { endpoint: LineEndpoint; requestId: string }) {
  const { status, body } = endpoint.errors?.error(error, requestId) ?? { status: error.status, body: errorBody(error) };
  return { status, body: Buffer.from(JSON.stringify(body)) };
}

const [busy, left, unavailable] = [529, 499, 503];
/** Spent budgets, limits, services that are away, and requests that another replica has left: only time helps. */
const passing: ReadonlySet<number> = new Set([402, 429, left, unavailable, busy]);
const standardWaitMs = 1_000;

function waitingFor(
  { status, retryAfterMs = standardWaitMs }: { status: number; retryAfterMs: number | undefined },
  result: LineResult,
): WaitingLine | undefined {
  if (passing.has(status)) return { waits: true, isBusy: status === busy, retryAfterMs, result: undefined };
  return status >= 500 ? { waits: true, isBusy: false, retryAfterMs, result } : undefined;
}

function retryAfterOf(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  return ms >= 0 ? ms : undefined;
}
