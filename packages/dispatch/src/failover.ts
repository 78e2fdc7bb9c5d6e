import { type ChatProvider, findChatProvider } from '@switchyard/providers';
import { GatewayError } from '@switchyard/contracts';
import type { Attempt, Equipment } from './attempt.ts';
import { type AttemptFailure, asAttemptFailure, exhausted } from './failure.ts';
import type { AttemptRecord } from './outcome.ts';
import type { Candidate } from './plan/plan.ts';
import type { Run } from './run.ts';
import type { Target, Targets } from './targets.ts';

export type Tried<Value> =
  | { ok: true; value: Value; attempt: Attempt; record: AttemptRecord; startedAt: number }
  | Failed;

/** Nobody served: what the client is told, and what it came down to. */
export interface Failed {
  ok: false;
  error: GatewayError;
  last: AttemptFailure;
}

export interface Tools {
  equipment: Equipment;
  targets: Targets;
}

/** Tries the candidates in the plan's order until one commits or the fault is not the provider's. */
export async function withFailover<Value>(
  tools: Tools,
  run: Run,
  tryOne: (attempt: Attempt) => Promise<Value>,
): Promise<Tried<Value>> {
  const failures: AttemptFailure[] = [];
  for (const candidate of run.job.plan.candidates.slice(0, run.job.plan.maxAttempts)) {
    const attempt = createAttempt(tools, run, candidate);
    const startedAt = performance.now();
    const record: AttemptRecord = {
      provider: candidate.offer.providerId,
      model: run.job.plan.model.id,
      status_code: null,
      error_type: 'none',
      succeeded: false,
      duration_ms: 0,
    };
    run.records.push(record);
    try {
      const value = await tryOne(attempt);
      Object.assign(record, { status_code: attempt.status, succeeded: true });
      return { ok: true, value, attempt, record, startedAt };
    } catch (thrown) {
      const failure = asAttemptFailure(thrown, candidate.offer.providerId, attempt.status);
      Object.assign(record, { status_code: failure.status, error_type: failure.type });
      if (!failure.retryable) return { ok: false, error: failure.error, last: failure };
      failures.push(failure);
    } finally {
      record.duration_ms = millisecondsSince(startedAt);
    }
  }
  const last = failures.at(-1);
  if (last === undefined) throw new Error('A plan has at least one candidate and one attempt.');
  return { ok: false, error: exhausted(failures, run.records), last };
}

function createAttempt({ equipment, targets }: Tools, run: Run, { offer }: Candidate): Attempt {
  const { call, completionId, created, signal, keepSignature } = run.job;
  const { provider, target } = reach(offer.providerId, targets);
  const context = { call, offer, completionId, created, ...(keepSignature && { keepSignature }) };
  const attempt: Attempt = {
    ...{ equipment, provider, target, offer, chat: call, context, signal },
    status: null,
    call: undefined,
    stopped: run.left,
  };
  run.attempt = attempt;
  return attempt;
}

/** The plan has left out what cannot be reached, so that this is never the client's to see. */
function reach(providerId: string, targets: Targets): { provider: ChatProvider; target: Target } {
  const provider = findChatProvider(providerId);
  const target = targets.find(providerId);
  if (provider !== undefined && target !== undefined) return { provider, target };
  throw new GatewayError('internal_error', 'Something went wrong on our side. Try again.', {
    detail: `planned ${providerId}, which cannot be reached`,
  });
}

/** Microseconds are enough for a person and short in JSON. */
export const millisecondsSince = (startedAt: number): number =>
  Math.round((performance.now() - startedAt) * 1000) / 1000;
