import type { Offer } from '@tallyport/contracts';
import { batchTier, promptUsage, withCost } from '@tallyport/pricing';
import type { Usage } from '@tallyport/wire';
import { acceptedBy } from '../attempts/accepted-by.ts';
import { millisecondsSince } from '../attempts/elapsed.ts';
import { type FailoverFailure, withFailover } from '../attempts/failover.ts';
import { endRun, type Run, startRun } from '../attempts/run.ts';
import type { DispatchOptions } from '../chat/chat-dispatch.ts';
import { nothingDelivered } from '../chat/chat-outcome.ts';
import type { CallDispatch, CallJob, ServedCall } from './call-job.ts';
import { type CallApproach, type OpenCalls, openCalls } from './open-calls.ts';

/** How one kind of call is sent and counted; everything else is the same for all kinds. */
interface CallKind<Call, Format, Answer> extends Omit<CallApproach<Call, Format, Answer>, 'streaming'> {
  /** The usage that the vendor counted, if it did. */
  reported(answer: Answer): Usage | undefined;
  /** The usage if the vendor counted none. */
  estimate(call: Call, offer: Offer): Usage;
}

/** Serves one kind of call. */
export function createCallDispatch<Call, Format, Answer>(
  kind: CallKind<Call, Format, Answer>,
  options: DispatchOptions,
): CallDispatch<Call, Answer> {
  const calls = openCalls({ ...kind, streaming: false }, options);
  return {
    serve: (job) => serve(kind, calls, job),
    close: calls.close,
  };
}

async function serve<Call, Format, Answer>(
  { reported, estimate }: CallKind<Call, Format, Answer>,
  { tools, approach }: OpenCalls<Call, Format, Answer>,
  job: CallJob<Call>,
): Promise<ServedCall<Answer>> {
  const run = startRun(job);
  const tried = await withFailover(tools, run, approach);
  if (!tried.ok) {
    reportFailure(run, tried, estimate);
    throw tried.error;
  }
  const { value: answer, attempt } = tried;
  const { offer } = attempt;
  const counted = reported(answer);
  const used = counted ?? estimate(job.call, offer);
  const usage = job.detour?.kind === 'answered' ? { ...used, service_tier: batchTier } : used;
  job.onOutcome?.({
    ...nothingDelivered,
    ...endRun(run, { served: offer, endReason: 'done', error: undefined }),
    usage,
    usageEstimated: counted === undefined,
    firstContentMs: millisecondsSince(run.startedAt),
  });
  return { answer, usage: withCost(usage, offer), offer, routing: run.records };
}

/** A provider bills the request that it has, although the client left. */
function reportFailure<Call>(
  run: Run<CallJob<Call>>,
  { error, last }: FailoverFailure,
  estimate: (call: Call, offer: Offer) => Usage,
): void {
  const { job } = run;
  const served = acceptedBy(run, last)?.offer;
  job.onOutcome?.({
    ...nothingDelivered,
    ...endRun(run, { served, endReason: last?.endReason ?? 'error', error }),
    usage: served && estimate(job.call, served),
    usageEstimated: served !== undefined,
  });
}

/** The usage that a vendor counted, if it did, of a call that has only a prompt. */
export const reportedPrompt = (tokens: number | undefined): Usage | undefined =>
  tokens === undefined ? undefined : promptUsage(tokens);
