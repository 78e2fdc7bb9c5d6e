import type { Offer } from '@tallyport/contracts';
import { type AudioUse, useOfSpeech, useOfTranscription } from '@tallyport/pricing';
import type { SpeechCall, TranscriptionCall } from '@tallyport/providers';
import { UpstreamFailure } from '@tallyport/outbound';
import { acceptedBy } from '../attempts/accepted-by.ts';
import { millisecondsSince } from '../attempts/elapsed.ts';
import { type FailoverFailure, withFailover } from '../attempts/failover.ts';
import type { AttemptRecord } from '../attempts/outcome.ts';
import { endRun, type Run, startRun } from '../attempts/run.ts';
import type { PlannedCall } from '../calls/call-job.ts';
import { type CallApproach, type OpenCalls, openCalls } from '../calls/open-calls.ts';
import type { DispatchOptions } from '../chat/chat-dispatch.ts';
import { attemptSpeech } from './attempt-speech.ts';
import { attemptTranscription } from './attempt-transcription.ts';
import type { AudioOutcome } from './audio-outcome.ts';
import { isProviderFault } from '../failure/attempt-failure.ts';
import type { PassedBytes } from './passed-stream.ts';

/** One request for speech or a transcription. */
interface AudioJob<Call> extends PlannedCall<Call> {
  /** Called exactly once, when the request has ended. */
  onOutcome?(outcome: AudioOutcome): void;
}

/** An answer that has begun to arrive, so the request ends with this provider or with an error. */
interface ServedAudio {
  readonly offer: Offer;
  readonly routing: readonly AttemptRecord[];
  /** The next bytes; `undefined` after a proper end. Throws GatewayError if the provider fails. */
  read(): Promise<Uint8Array | undefined>;
  /** Closes the upstream's socket at once. */
  cancel(): void;
}

export interface AudioDispatch<Call> {
  /** Resolves when a provider has sent its first bytes. Throws like `CallDispatch.serve`. */
  serve(job: AudioJob<Call>): Promise<ServedAudio>;
  close(): Promise<void>;
}

export const createSpeechDispatch = (options: DispatchOptions): AudioDispatch<SpeechCall> =>
  createAudioDispatch(
    {
      formatOf: ({ speech }) => speech,
      run: attemptSpeech,
      useOf: ({ input }, offer, ending) => useOfSpeech({ input, ...ending }, offer),
    },
    options,
  );

/** Transcriptions and translations. */
export const createTranscriptionDispatch = (options: DispatchOptions): AudioDispatch<TranscriptionCall> =>
  createAudioDispatch(
    {
      formatOf: ({ transcriptions }) => transcriptions,
      run: attemptTranscription,
      useOf: ({ file }, offer, ending) => useOfTranscription({ file: file.content, ...ending }, offer),
    },
    options,
  );

interface AudioKind<Call, Format, Ending> extends Omit<CallApproach<Call, Format, PassedBytes<Ending>>, 'streaming'> {
  /** What a provider bills, by what it reported at the end if it did. */
  useOf(call: Call, offer: Offer, ending?: Ending): AudioUse;
}

function createAudioDispatch<Call, Format, Ending>(
  kind: AudioKind<Call, Format, Ending>,
  options: DispatchOptions,
): AudioDispatch<Call> {
  const calls = openCalls({ ...kind, streaming: true }, options);
  return { serve: (job) => serve(kind, calls, job), close: calls.close };
}

async function serve<Call, Format, Ending>(
  { useOf }: AudioKind<Call, Format, Ending>,
  { tools, approach }: OpenCalls<Call, Format, PassedBytes<Ending>>,
  job: AudioJob<Call>,
): Promise<ServedAudio> {
  const run = startRun(job);
  const tried = await withFailover(tools, run, approach);
  if (!tried.ok) {
    reportFailure(run, tried, (offer) => useOf(job.call, offer));
    throw tried.error;
  }
  const { value: stream, attempt, record, startedAt } = tried;
  const { offer } = attempt;
  const firstContentMs = millisecondsSince(run.startedAt);
  run.cancel = (failure) => stream.cancel(failure);
  stream.onEnd((failure, ending) => {
    const { status: status_code, type: error_type } = failure ?? { status: attempt.status, type: 'none' };
    const duration_ms = millisecondsSince(startedAt);
    Object.assign(record, { status_code, error_type, duration_ms, succeeded: failure === undefined });
    if (failure !== undefined && isProviderFault(failure.type)) tools.standings.brokeOff(offer, failure.type);
    job.onOutcome?.({
      ...endRun(run, { served: offer, endReason: failure?.endReason ?? 'done', error: failure?.error }),
      use: useOf(job.call, offer, ending),
      firstContentMs,
    });
  });
  if (run.left !== undefined) stream.cancel(run.left);
  return {
    offer,
    routing: run.records,
    read: () => stream.read(),
    cancel: () => stream.cancel(new UpstreamFailure('left', 'was left')),
  };
}

/** A provider bills the whole request once it has it. */
function reportFailure<Call>(
  run: Run<AudioJob<Call>>,
  { error, last }: FailoverFailure,
  useOf: (offer: Offer) => AudioUse,
): void {
  const served = acceptedBy(run, last)?.offer;
  run.job.onOutcome?.({
    ...endRun(run, { served, endReason: last?.endReason ?? 'error', error }),
    use: served && useOf(served),
    firstContentMs: undefined,
  });
}
