import { GatewayError } from '@switchyard/contracts';
import { admitted } from './admitted.ts';
import { millisecondsSince } from './elapsed.ts';
import { type AttemptFailure, exhausted, isOwnKeyFault } from './failure.ts';
import type { Candidate } from './plan/order.ts';
import type { UpstreamTry } from './open-request.ts';
import type { AnyJob, Run } from './run.ts';
import type { Passage } from './standing/breakers.ts';
import { type Approach, type Served, type Tools, tryOffer } from './try-offer.ts';

export type Tried<Value, Try = UpstreamTry> = Served<Value, Try> | Failed;

/** Nobody served: what the client is told, and what it came down to. */
export interface Failed {
  ok: false;
  error: GatewayError;
  /** `undefined`: nothing was even tried. */
  last: AttemptFailure | undefined;
}

/** Tries the candidates in the plan's order until one commits or the fault is not the provider's. */
export async function withFailover<Job extends AnyJob, Try extends UpstreamTry, Value>(
  tools: Tools,
  run: Run<Job>,
  approach: Approach<Job, Try, Value>,
): Promise<Tried<Value, Try>> {
  const failures: AttemptFailure[] = [];
  for (const { candidate, passage } of admitted(tools.standings.breakers, run.job.plan)) {
    const tried = await tryOffer(tools, { run, offer: candidate.offer }, approach).catch((thrown: unknown) => {
      passage.unknown();
      throw thrown;
    });
    if (tried.ok) {
      succeeded(tools, tried, approach.streaming);
      passage.succeeded();
      return tried;
    }
    const { failure } = tried;
    judge(tools, candidate, { failure, passage });
    if (!failure.retryable) return { ok: false, error: failure.error, last: failure };
    failures.push(failure);
  }
  const last = failures.at(-1);
  return { ok: false, error: last === undefined ? nobodyFree(run) : exhausted(failures, run.records), last };
}

function succeeded({ standings }: Tools, { attempt, startedAt }: Served<unknown>, stream: boolean): void {
  standings.answered(attempt.offer, stream ? millisecondsSince(startedAt) : undefined);
}

/**
 * Only what is the provider's fault counts against its offer. A fault of the caller shows that the provider lives; one of
 * an account's own key shows nothing to anybody else.
 */
function judge({ standings }: Tools, { offer }: Candidate, { failure, passage }: Judgement): void {
  if (failure.type.startsWith('provider_')) {
    standings.failed(offer, { type: failure.type, retryAfterMs: failure.error.retryAfterMs });
    passage.failed();
  } else if (failure.status === null || isOwnKeyFault(failure.type)) passage.unknown();
  else passage.succeeded();
}

interface Judgement {
  failure: AttemptFailure;
  passage: Passage;
}

const retryMs = 1_000;

/** All of them are failing, and each is being tried by somebody else at this moment. */
function nobodyFree({ job: { plan } }: Run<AnyJob>): GatewayError {
  const names = [...new Set(plan.candidates.map(({ offer }) => offer.providerId))].join(', ');
  const message = `${names} failed repeatedly and one request at a time tries again. Retry in a second.`;
  return new GatewayError('all_providers_failed', message, { retryAfterMs: retryMs, attempts: [], domain: 'provider' });
}
