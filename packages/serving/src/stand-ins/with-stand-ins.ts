import { type ErrorCode, GatewayError, toGatewayError } from '@tallyport/contracts';
import { type AttemptRecord, errorAttempts, healthyFirst, type Plan } from '@tallyport/dispatch';
import { nothingUsed, type Settlement } from '../metering/index.ts';
import type { EachPlanned } from './plan-each.ts';
import type { PaidAnswer, PaidRequest, RequestLife } from '../paid-request.ts';

/**
 * A request that names several models, each planned by itself: `own` is that of the first one, and the others stand in
 * for it in their order. Cache, form and limits are those of `own`; one record and one settlement are made of all. `asked`
 * is the first name that the client wrote, which may be one that cannot serve the request at all.
 */
export function withStandIns({ own, standIns, passedOver }: EachPlanned<PaidRequest>, asked: string): PaidRequest {
  const turns = healthyFirst([own, ...standIns], ({ plan }) => plan);
  const plan = { ...own.plan, requestedModel: asked, standIns: standIns.map((each) => each.plan), passedOver };
  return { ...own, plan, attempt: (life) => attemptInTurn({ turns, own, plan }, life) };
}

interface TurnsOfRequest {
  turns: readonly PaidRequest[];
  own: PaidRequest;
  /** That of all models. */
  plan: Plan;
}

/** What the models before used, for the one record of the request. */
type Before = Pick<Settlement, 'attempts' | 'routes' | 'durationMs'>;

async function attemptInTurn({ turns, own, plan: whole }: TurnsOfRequest, life: RequestLife): Promise<PaidAnswer> {
  let before: Before = nothingUsed;
  for (let at: number | undefined = 0; at !== undefined;) {
    const request: PaidRequest | undefined = turns[at];
    if (request === undefined) break;
    const { plan, attempt } = request;
    const standIn = request === own ? {} : { plan };
    const turn = openTurn(life, { standIn, whole, before, next: nextTurn(turns, at) });
    try {
      const answer = await attempt(turn.life);
      turn.answered();
      return { ...answer, ...standIn, attempts: before.attempts.length + answer.attempts };
    } catch (thrown) {
      const failed = turn.failed();
      if (failed === undefined) throw withEarlier(toGatewayError(thrown), before.attempts);
      before = failed.settlement;
      at = failed.next;
    }
  }
  throw new TypeError('A request without models was attempted.');
}

/** More would not fit into a record. */
const mostAttempts = 60;

/** Finds the model that has its turn after a failure. A route may end with a content filter, and what is named after it not. */
const nextTurn =
  (turns: readonly PaidRequest[], at: number) =>
  ({ error, attempts }: Settlement): number | undefined => {
    if (error === undefined || !modelFaults.has(error.code) || attempts.length >= mostAttempts) return undefined;
    const asked = turns[at]?.plan.route;
    const isEnded = error.code === 'content_policy_violation' && asked?.route.onContentFilter === 'stop';
    const ended = isEnded ? asked.name : undefined;
    const next = turns.findIndex(
      ({ plan }, other) => other > at && (ended === undefined || plan.route?.name !== ended),
    );
    return next < 0 ? undefined : next;
  };

interface TurnTerms {
  /** The plan of the model, unless it is the request's own. */
  standIn: Pick<Settlement, 'plan'>;
  whole: Plan;
  before: Before;
  /** The turn after this one has failed. */
  next(failure: Settlement): number | undefined;
}

/** A failure after which the next model has its turn. */
interface PassedTurn {
  settlement: Settlement;
  next: number;
}

/** The turn of one model. Its settlement is that of the request, unless the next model has its turn. */
function openTurn(life: RequestLife, { standIn, whole, before, next }: TurnTerms) {
  let failure: PassedTurn | undefined;
  let hasAnswered = false;
  let isSettled = false;
  const settle = (own: Settlement): void => {
    isSettled = true;
    const settlement = { ...afterThose(before, own), ...standIn };
    const mayMoveOn = !hasAnswered && !life.signal.aborted && own.served === undefined && !own.isUnclear;
    const following = mayMoveOn ? next(settlement) : undefined;
    if (following === undefined) life.settle(settlement);
    else failure = { settlement, next: following };
  };
  return {
    life: { ...life, others: { before: before.attempts, plan: whole }, settle },
    answered() {
      hasAnswered = true;
    },
    failed(): PassedTurn | undefined {
      if (!isSettled) settle({ ...nothingUsed, endReason: 'error', error: toGatewayError(undefined) });
      return failure;
    },
  };
}

function afterThose(before: Before, own: Settlement): Settlement {
  const { durationMs, firstContentMs } = own;
  return {
    ...own,
    attempts: [...before.attempts, ...own.attempts],
    routes: [
      ...before.routes,
      ...own.routes.map((route) => ({ ...route, startMs: before.durationMs + route.startMs })),
    ],
    durationMs: before.durationMs + durationMs,
    firstContentMs: firstContentMs === undefined ? undefined : before.durationMs + firstContentMs,
  };
}

/** Failures of a model, which another one may not have. A wrong request stays wrong, and what was paid is an answer. */
const modelFaults: ReadonlySet<ErrorCode> = new Set([
  'all_providers_failed',
  'content_policy_violation',
  'context_length_exceeded',
  'providers_rate_limited',
  'stream_truncated',
  'unsupported_capability',
  'upstream_auth',
  'upstream_error',
  'upstream_timeout',
]);

/** The error of the last model, with the attempts of all. */
function withEarlier(error: GatewayError, earlier: readonly AttemptRecord[]): GatewayError {
  if (earlier.length === 0) return error;
  const { code, status, domain, param, retryAfterMs, provider, detail } = error;
  const models = [...new Set(earlier.map(({ model }) => model))].join(', ');
  const attempts = [...errorAttempts(earlier), ...(error.attempts ?? [])];
  const options = { cause: error, status, domain, param, retryAfterMs, attempts, provider, detail };
  return new GatewayError(code, `${models} failed before. ${error.message}`, options);
}
