import type { GatewayError, RequestHead } from '@tallyport/contracts';
import type { AttemptRecord, AttemptRoute, Plan, RequestOutcome, ServedSession } from '@tallyport/dispatch';
import type { CountedTokens } from '@tallyport/pricing';
import { realtimeSettlement, type RequestReservation } from '@tallyport/serving/metering';
import type { HeldMoney } from './held-money.ts';
import type { RealtimeEvents } from './realtime-events.ts';

/** A response that the vendor has begun. */
interface Turn {
  reserved: Pick<RequestReservation, 'settle'>;
  startedAt: number;
  report: ReturnType<RealtimeEvents['begin']>;
}

interface TurnsOptions {
  served: Pick<ServedSession, 'offer' | 'opened'>;
  money: HeldMoney;
  events: RealtimeEvents;
  head: RequestHead;
  plan: Plan;
}

/** More at once than any vendor answers. */
const mostRunning = 16;
/** Ids of ended responses: a vendor that repeats an end is not paid again. */
const mostEnded = 256;

/** The responses of a session: each is settled and recorded once. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #running = new Map<string, Turn>();
  readonly #ended = new Set<string>();
  /** How the session was opened, until the first response is recorded. */
  #opening: Pick<RequestOutcome, 'attempts' | 'routes'> | undefined;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#opening = options.served.opened;
  }

  /** The ids of those that have not ended. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** `false` if there are too many. */
  created(id: string): boolean {
    if (this.#running.has(id) || this.#ended.has(id)) return true;
    if (this.#running.size >= mostRunning) return false;
    this.#running.set(id, this.#begin());
    return true;
  }

  /** `unannounced` for one that was not known to have begun, `repeated` for one that has ended already. */
  done(
    id: string,
    end: { isFailed: boolean; counted: CountedTokens | undefined },
  ): 'expected' | 'repeated' | 'unannounced' {
    if (this.#ended.has(id)) return 'repeated';
    const known = this.#running.get(id);
    this.#running.delete(id);
    this.#remember(id);
    this.#settle(known ?? this.#begin(), end);
    return known === undefined ? 'unannounced' : 'expected';
  }

  /** Settles what the vendor has not reported. */
  end(error: GatewayError | undefined): void {
    for (const turn of this.#running.values()) this.#settle(turn, { isFailed: true, counted: undefined, error });
    this.#running.clear();
  }

  #begin(): Turn {
    const { money, events, head, plan } = this.#options;
    const report = events.begin({ head, plan, stream: true });
    return { reserved: money.take(), startedAt: performance.now(), report };
  }

  #settle(
    { reserved, startedAt, report }: Turn,
    {
      isFailed,
      counted,
      error,
    }: { isFailed: boolean; counted: CountedTokens | undefined; error?: GatewayError | undefined },
  ): void {
    const { offer, opened } = this.#options.served;
    const durationMs = Math.round(performance.now() - startedAt);
    const calls = this.#opening ?? lastCall(opened, { isFailed, durationMs });
    this.#opening = undefined;
    const endReason = isFailed ? 'error' : 'done';
    const outcome: RequestOutcome = { ...calls, served: offer, ownKey: opened.ownKey, durationMs, endReason, error };
    reserved.settle(realtimeSettlement(outcome, counted));
    report(outcome);
  }

  #remember(id: string): void {
    this.#ended.add(id);
    const [oldest = ''] = this.#ended;
    if (this.#ended.size > mostEnded) this.#ended.delete(oldest);
  }
}

/** Each response is one more call of the vendor that has the session. */
function lastCall(
  { attempts, routes }: RequestOutcome,
  { isFailed, durationMs }: { isFailed: boolean; durationMs: number },
): { attempts: AttemptRecord[]; routes: AttemptRoute[] } {
  const [attempt, route] = [attempts.at(-1), routes.at(-1)];
  if (attempt === undefined || route === undefined) return { attempts: [], routes: [] };
  const failed = isFailed ? ({ error_type: 'provider_server_error', succeeded: false } as const) : {};
  return {
    attempts: [{ ...attempt, duration_ms: durationMs, ...failed }],
    routes: [{ ...route, startMs: 0 }],
  };
}
