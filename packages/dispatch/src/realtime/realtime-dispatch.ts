import type { GatewayError, Offer } from '@tallyport/contracts';
import { createSockets } from '@tallyport/outbound';
import type { RealtimeCall, RealtimeFormat } from '@tallyport/providers';
import { type FailoverFailure, withFailover } from '../attempts/failover.ts';
import type { RequestOutcome } from '../attempts/outcome.ts';
import { endRun, type Run, startRun } from '../attempts/run.ts';
import { defaultTimeouts } from '../attempts/timeouts.ts';
import type { PlannedCall } from '../calls/call-job.ts';
import { openCalls } from '../calls/open-calls.ts';
import type { DispatchOptions } from '../chat/chat-dispatch.ts';
import { isProviderFault } from '../failure/attempt-failure.ts';
import { asAttemptFailure } from '../failure/classify.ts';
import { attemptRealtime, type BegunSession } from './attempt-realtime.ts';

/** One session. */
interface RealtimeJob extends PlannedCall<RealtimeCall> {
  /** Called if no session could be begun. */
  onFailed(outcome: RequestOutcome): void;
}

/** A session at a vendor: no other offer is tried any more. */
export interface ServedSession extends BegunSession {
  readonly offer: Offer;
  /** How the session was opened. Its last attempt is the one that answers. */
  readonly opened: RequestOutcome;
  /** The client's error for a failure within the session, which counts against the offer if it is the vendor's. */
  broke(thrown: unknown): GatewayError;
}

export interface RealtimeDispatch {
  /** Resolves when a vendor has begun a session. Throws like `CallDispatch.serve`. */
  serve(job: RealtimeJob): Promise<ServedSession>;
  close(): Promise<void>;
}

/** Of vendors. Audio arrives in pieces that are far smaller. */
const maxMessageBytes = 16 * 1024 * 1024;

export function createRealtimeDispatch(options: DispatchOptions): RealtimeDispatch {
  const { firstByteMs } = { ...defaultTimeouts, ...options.timeouts };
  const sockets = createSockets({ openMs: firstByteMs, maxMessageBytes });
  const { tools, approach, close } = openCalls<RealtimeCall, RealtimeFormat, BegunSession>(
    {
      formatOf: ({ realtime }) => realtime,
      run: (attempt) => attemptRealtime(attempt, sockets),
      streaming: true,
    },
    options,
  );
  return {
    async serve(job) {
      const run = startRun(job);
      const tried = await withFailover(tools, run, approach);
      if (!tried.ok) {
        reportFailure(run, tried);
        throw tried.error;
      }
      const { value, attempt } = tried;
      const { offer } = attempt;
      const opened = endRun(run, { served: offer, endReason: 'done', error: undefined });
      if (run.left !== undefined) value.socket.abort(run.left);
      return {
        ...value,
        offer,
        opened,
        broke(thrown) {
          const { type, error } = asAttemptFailure(thrown, offer.providerId, attempt.status);
          if (isProviderFault(type)) tools.standings.brokeOff(offer, type);
          return error;
        },
      };
    },
    async close() {
      sockets.close();
      await close();
    },
  };
}

function reportFailure(run: Run<RealtimeJob>, { error, last }: FailoverFailure): void {
  run.job.onFailed(endRun(run, { served: undefined, endReason: last?.endReason ?? 'error', error }));
}
