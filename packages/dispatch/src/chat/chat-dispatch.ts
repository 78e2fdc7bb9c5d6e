import type { GatewayError, Offer } from '@switchyard/contracts';
import { estimateUsage, withCost } from '@switchyard/pricing';
import { type ChatApproach, chatAttempts } from './chat-approach.ts';
import { millisecondsSince } from '../attempts/elapsed.ts';
import { type Failed, withFailover } from '../attempts/failover.ts';
import { attemptPlainChoices, attemptStreamChoices } from './fan-out/attempt-choices.ts';
import type { AnswerStream } from './fan-out/fanned-stream.ts';
import { createImageFetcher, type ImageUrlSettings } from '../inline/image-fetcher.ts';
import { createImageInliner } from '../inline/image-inliner.ts';
import type { ChatJob } from './chat-job.ts';
import { createKeyBench } from '../attempts/key-bench.ts';
import type { AttemptRecord } from '../attempts/outcome.ts';
import { endRun, type Run, startRun } from '../attempts/run.ts';
import { type ChatOutcome, nothingDelivered } from './chat-outcome.ts';
import { answerBytes, imageCount, type PlainAnswer } from './plain-answer.ts';
import type { RenderChunk, StreamEnding } from './stream/chat-stream.ts';
import { type RoutingSettings, defaultRouting } from '../settings.ts';
import type { Standings } from '../standing/standings.ts';
import type { Targets } from '../targets/targets.ts';
import { type Timeouts, defaultTimeouts } from '../attempts/timeouts.ts';
import type { DispatchTools } from '../attempts/try-offer.ts';
import { UpstreamFailure } from '../failure/upstream-failure.ts';
import { createPools } from '../upstream/pools.ts';

export interface DispatchOptions {
  targets: Targets;
  /** Learns from every attempt, and says which offers may be called. Closed by its owner. */
  standings: Standings;
  routing?: RoutingSettings;
  timeouts?: Partial<Timeouts>;
  /** The largest answer read from a provider. */
  maxResponseBytes?: number;
  /** The largest single event of a provider's stream. */
  maxFrameBytes?: number;
  /** How images are fetched that clients name by their URL, for providers that fetch none. */
  imageUrls?: Partial<ImageUrlSettings>;
}

/** A whole answer, from the provider's adapter as it is; its usage is estimated where the provider reported none. */
export interface ServedCompletion extends PlainAnswer {
  offer: Offer;
  routing: readonly AttemptRecord[];
}

/** A committed stream: the provider has sent content, and from here on it is this provider or an error. */
export interface ServedStream {
  offer: Offer;
  /** Every attempt so far; the last one's duration grows until the end. */
  routing(): readonly AttemptRecord[];
  /** Call once, before `read`. Of chunks that are nothing but text, what it makes may differ only in the text. */
  render(render: RenderChunk): void;
  /**
   * The events that arrived together, as bytes; `undefined` after a proper end. Throws GatewayError when the provider
   * fails now, after everything that came before it was read. One reader at a time.
   */
  read(): Promise<Uint8Array | undefined>;
  /** Leaves: the upstream's socket closes at once. */
  cancel(): void;
}

export interface Dispatch {
  /** Resolves with the first provider's answer that is good. Throws GatewayError: the caller's fault as the provider reported it, or all failed. */
  complete(job: ChatJob): Promise<ServedCompletion>;
  /** Resolves when a provider has sent its first content. Throws like `complete`. */
  stream(job: ChatJob): Promise<ServedStream>;
  /** Closes every upstream connection; what still runs fails. */
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
  const tools: DispatchTools = { targets, standings, routing, keys: createKeyBench(() => performance.now()) };
  const attempt = chatAttempts(equipment, targets);
  const plain: ChatApproach<PlainAnswer> = { streaming: false, attempt, run: attemptPlainChoices };
  const streamed: ChatApproach<AnswerStream> = { streaming: true, attempt, run: attemptStreamChoices };
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
  const { completion, longStrings } = answer;
  const usage = completion.usage ?? estimateUsage(job.call.request, answerBytes(answer));
  tools.standings.delivered(attempt.offer, usage.completion_tokens, millisecondsSince(startedAt));
  report(run, {
    served: attempt.offer,
    usage,
    usageEstimated: completion.usage === undefined,
    skippedFrames: 0,
    images: imageCount(answer),
    firstContentMs: millisecondsSince(run.startedAt),
    endReason: 'done',
    error: undefined,
  });
  const priced = { ...completion, usage: withCost(usage, attempt.offer) };
  return { completion: priced, longStrings, offer: attempt.offer, routing: run.records };
}

async function stream(tools: DispatchTools, approach: ChatApproach<AnswerStream>, job: ChatJob): Promise<ServedStream> {
  const run = startRun(job);
  const tried = await withFailover(tools, run, approach);
  if (!tried.ok) throw failed(run, tried);
  const { value: chatStream, attempt, record, startedAt } = tried;
  const firstContentMs = millisecondsSince(run.startedAt);
  chatStream.onEnd(({ failure, ...ending }) => {
    const { status: status_code, type: error_type } = failure ?? { status: attempt.status, type: 'none' };
    Object.assign(record, { status_code, error_type, succeeded: failure === undefined });
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
  return servedStream(run, { chatStream, offer: attempt.offer, record, startedAt });
}

type ChatResult = Omit<ChatOutcome, 'attempts' | 'durationMs' | 'ownKey'>;

function report(run: Run<ChatJob>, result: ChatResult): void {
  const { usage, usageEstimated, skippedFrames, images, firstContentMs } = result;
  run.job.onOutcome?.({ ...endRun(run, result), usage, usageEstimated, skippedFrames, images, firstContentMs });
}

function failed(run: Run<ChatJob>, { error, last }: Failed): GatewayError {
  report(run, { ...nothingDelivered, endReason: last?.endReason ?? 'error', error });
  return error;
}

interface EndedStream extends Pick<StreamEnding, 'failure' | 'usage'> {
  tookMs: number;
}

/** An answer that broke after its first content was none. One that the client left says nothing more. */
function streamEnded(standings: Standings, offer: Offer, { failure, usage, tookMs }: EndedStream): void {
  if (failure === undefined) standings.delivered(offer, usage.completion_tokens, tookMs);
  else if (failure.type.startsWith('provider_')) standings.brokeOff(offer, failure.type);
}

interface CommittedStream {
  chatStream: AnswerStream;
  offer: Offer;
  record: AttemptRecord;
  startedAt: number;
}

const servedStream = (run: Run<ChatJob>, { chatStream, offer, record, startedAt }: CommittedStream): ServedStream => ({
  offer,
  routing() {
    record.duration_ms = millisecondsSince(startedAt);
    return run.records;
  },
  render: (render) => chatStream.render(render),
  read: () => chatStream.read(),
  cancel: () => chatStream.cancel(new UpstreamFailure('left', 'was left')),
});
