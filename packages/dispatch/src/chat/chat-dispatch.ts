import type { GatewayError, Offer } from '@tallyport/contracts';
import { batchTier, estimateUsage, withCost } from '@tallyport/pricing';
import { UpstreamFailure, createPools } from '@tallyport/outbound';
import { namedTier } from '@tallyport/providers';
import type { AnswerEvent, Usage } from '@tallyport/wire';
import type { Attempt } from './attempt.ts';
import { type ChatApproach, chatAttempts } from './chat-approach.ts';
import { millisecondsSince } from '../attempts/elapsed.ts';
import { type FailoverFailure, withFailover } from '../attempts/failover.ts';
import { attemptPlainChoices, attemptStreamChoices } from './fan-out/attempt-choices.ts';
import type { AnswerStream } from './fan-out/fanned-stream.ts';
import { isProviderFault } from '../failure/attempt-failure.ts';
import { createImageFetcher, type ImageUrlSettings } from '../inline/image-fetcher.ts';
import { createImageInliner } from '../inline/image-inliner.ts';
import type { ChatJob } from './chat-job.ts';
import { createKeyBench } from '../attempts/key-bench.ts';
import type { AttemptRecord } from '../attempts/outcome.ts';
import { endRun, type Run, startRun } from '../attempts/run.ts';
import { abandoned } from './abandoned.ts';
import { answerFacts, type ChatOutcome, nothingDelivered } from './chat-outcome.ts';
import { answerBytes, imageCount, type PlainAnswer } from './plain-answer.ts';
import type { StreamEnding } from './stream/chat-stream.ts';
import type { RenderChunk } from './stream/stream-output.ts';
import { type RoutingSettings, defaultRouting } from '../settings.ts';
import { orTranslated } from './native/or-translated.ts';
import { orOtherwise } from './or-otherwise.ts';
import { noteWeakened } from './weakened.ts';
import type { Standings } from '../standing/standings.ts';
import type { Targets } from '../targets/targets.ts';
import { type Timeouts, defaultTimeouts } from '../attempts/timeouts.ts';
import type { DispatchTools } from '../attempts/try-offer.ts';

export interface DispatchOptions {
  targets: Targets;
  /** Records the result of every attempt and says which offers may be called. The owner closes it. */
  standings: Standings;
  routing?: RoutingSettings;
  timeouts?: Partial<Timeouts>;
  /** The largest answer read from a provider. */
  maxResponseBytes?: number;
  /** The largest single event of a provider's stream. */
  maxFrameBytes?: number;
  /** How images that clients name by URL are downloaded, for providers that accept no URLs. */
  imageUrls?: Partial<ImageUrlSettings>;
}

/** A whole answer as the provider's adapter translated it. Usage is estimated if the provider reported none. */
export interface ServedCompletion extends PlainAnswer {
  offer: Offer;
  routing: readonly AttemptRecord[];
  /** What the vendor did not get as the client asked for it. */
  weakened?: readonly string[] | undefined;
}

/** A committed stream: the provider has sent content, so the request ends with this provider or with an error. */
export interface ServedStream {
  offer: Offer;
  /** The events are those of the vendor, for a client of the vendor's own API. */
  isPassed: boolean;
  /** What the vendor did not get as the client asked for it. */
  weakened: readonly string[] | undefined;
  /** All attempts so far; the duration of the last one grows until the stream ends. */
  routing(): readonly AttemptRecord[];
  /**
   * Call once, before `read`. Of two chunks that hold nothing but text, the rendered ones may differ only in that text.
   */
  render(render: RenderChunk): void;
  /**
   * The next events; `undefined` after a proper end. If the provider fails, everything received before the
   * failure is returned first, then it throws GatewayError. Supports one reader at a time.
   */
  read(): Promise<AnswerEvent[] | undefined>;
  /** Closes the upstream's socket at once, unless only the usage is missing: then it waits for that briefly. */
  cancel(): void;
}

export interface Dispatch {
  /**
   * Resolves with the first successful answer. Throws GatewayError: the caller's fault as the provider reported it, or
   * that all failed.
   */
  complete(job: ChatJob): Promise<ServedCompletion>;
  /** Resolves when a provider has sent its first content. Throws like `complete`. */
  stream(job: ChatJob): Promise<ServedStream>;
  /** Closes every upstream connection; requests still in progress fail. */
  close(): Promise<void>;
}

const defaultMaxResponseBytes = 128 * 1024 * 1024;
const defaultMaxFrameBytes = 32 * 1024 * 1024;

export function createDispatch(options: DispatchOptions): Dispatch {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const { maxResponseBytes = defaultMaxResponseBytes, maxFrameBytes = defaultMaxFrameBytes } = options;
  const pools = createPools({ connectMs: timeouts.connectMs });
  const images = createImageInliner(createImageFetcher({ connectMs: timeouts.connectMs, ...options.imageUrls }));
  const equipment = { pools, images, timeouts, maxResponseBytes, maxFrameBytes };
  const { targets, standings, routing = defaultRouting } = options;
  const tools: DispatchTools = { targets, standings, routing, pools, keys: createKeyBench(() => performance.now()) };
  const attempt = chatAttempts(equipment, targets);
  const plain: ChatApproach<PlainAnswer> = {
    streaming: false,
    attempt,
    run: orTranslated(orOtherwise(attemptPlainChoices)),
  };
  const streamed: ChatApproach<AnswerStream> = {
    streaming: true,
    attempt,
    run: orTranslated(orOtherwise(attemptStreamChoices)),
  };
  return {
    complete: (job) => complete(tools, plain, job),
    stream: (job) => stream(tools, streamed, job),
    close: async () => void (await Promise.all([pools.close(), images.close()])),
  };
}

async function complete(
  tools: DispatchTools,
  approach: ChatApproach<PlainAnswer>,
  job: ChatJob,
): Promise<ServedCompletion> {
  const run = startRun(job);
  const tried = await withFailover(tools, run, approach);
  if (!tried.ok) throw failed(run, tried);
  const { value: answer, attempt, startedAt } = tried;
  const { completion, longStrings, passed } = answer;
  const weakened = job.isShaped === true || attempt.leftOut !== undefined ? noteWeakened(run, attempt) : undefined;
  const usage = completion.usage ?? estimateOf(attempt, answer);
  if (job.detour?.kind !== 'answered')
    tools.standings.delivered(attempt.offer, usage.completion_tokens, millisecondsSince(startedAt));
  report(run, {
    served: attempt.offer,
    usage,
    usageEstimated: completion.usage === undefined,
    usageAdjusted: answer.usageAdjusted,
    skippedFrames: 0,
    images: imageCount(answer),
    answer: answerFacts(completion),
    firstContentMs: millisecondsSince(run.startedAt),
    endReason: 'done',
    error: undefined,
  });
  const { offer } = attempt;
  const priced = { ...completion, usage: withCost(usage, offer) };
  const answered: ServedCompletion = { completion: priced, longStrings, offer, routing: run.records };
  if (passed !== undefined) answered.passed = passed;
  if (weakened !== undefined) answered.weakened = weakened;
  return answered;
}

function estimateOf({ chat, offer, tier: ofHeader, detour }: Attempt, answer: PlainAnswer): Usage {
  const tier = detour?.kind === 'answered' ? batchTier : (namedTier(answer.completion.service_tier) ?? ofHeader);
  return estimateUsage(chat.request, { bytes: answerBytes(answer), images: imageCount(answer), tier }, offer);
}

async function stream(tools: DispatchTools, approach: ChatApproach<AnswerStream>, job: ChatJob): Promise<ServedStream> {
  const run = startRun(job);
  const tried = await withFailover(tools, run, approach);
  if (!tried.ok) throw failed(run, tried);
  const { value: chatStream, attempt, record, startedAt } = tried;
  const firstContentMs = millisecondsSince(run.startedAt);
  chatStream.onEnd(({ failure, ...ending }) => {
    const { status: status_code, type: error_type } = failure ?? { status: attempt.status, type: 'none' };
    record.status_code = status_code;
    record.error_type = error_type;
    record.succeeded = failure === undefined;
    record.duration_ms = millisecondsSince(startedAt);
    streamEnded(tools.standings, attempt.offer, { failure, usage: ending.usage, tookMs: record.duration_ms });
    report(run, {
      ...ending,
      served: attempt.offer,
      firstContentMs,
      endReason: failure?.endReason ?? 'done',
      error: failure?.error,
    });
  });
  run.cancel = (failure) => chatStream.cancel(failure);
  if (run.left !== undefined) chatStream.cancel(run.left);
  return servedStream(run, { chatStream, attempt, record, startedAt });
}

type ChatResult = Omit<ChatOutcome, 'attempts' | 'routes' | 'durationMs' | 'ownKey'>;

function report(run: Run<ChatJob>, result: ChatResult): void {
  const { usage, usageEstimated, usageAdjusted, skippedFrames, images, firstContentMs, answer } = result;
  const ending = { usage, usageEstimated, usageAdjusted, skippedFrames, images, firstContentMs, answer };
  run.job.onOutcome?.({ ...endRun(run, result), ...ending });
}

function failed(run: Run<ChatJob>, { error, last }: FailoverFailure): GatewayError {
  report(run, { ...(abandoned(run, last) ?? nothingDelivered), endReason: last?.endReason ?? 'error', error });
  return error;
}

interface EndedStream extends Pick<StreamEnding, 'failure' | 'usage'> {
  tookMs: number;
}

/** A stream that broke after its first content counts as a failure. A client that left says nothing about the offer. */
function streamEnded(standings: Standings, offer: Offer, { failure, usage, tookMs }: EndedStream): void {
  if (failure === undefined) standings.delivered(offer, usage.completion_tokens, tookMs);
  else if (isProviderFault(failure.type)) standings.brokeOff(offer, failure.type);
}

interface CommittedStream {
  chatStream: AnswerStream;
  attempt: Attempt;
  record: AttemptRecord;
  startedAt: number;
}

const servedStream = (
  run: Run<ChatJob>,
  { chatStream, attempt, record, startedAt }: CommittedStream,
): ServedStream => ({
  offer: attempt.offer,
  isPassed: attempt.native !== undefined,
  weakened: run.job.isShaped === true || attempt.leftOut !== undefined ? noteWeakened(run, attempt) : undefined,
  routing() {
    record.duration_ms = millisecondsSince(startedAt);
    return run.records;
  },
  render: (render) => chatStream.render(render),
  read: () => chatStream.read(),
  cancel: () => chatStream.cancel(new UpstreamFailure('left', 'was left')),
});
