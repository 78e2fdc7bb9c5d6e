import { costOfImages } from '@tallyport/pricing';
import { findImageProvider, type ImageProvider } from '@tallyport/providers';
import { createPools, createPublicAgent } from '@tallyport/outbound';
import type { DispatchOptions } from '../chat/chat-dispatch.ts';
import { withFailover } from '../attempts/failover.ts';
import { createImageFetcher } from '../inline/image-fetcher.ts';
import { createKeyBench } from '../attempts/key-bench.ts';
import { endRun, type Run, startRun } from '../attempts/run.ts';
import { defaultRouting } from '../settings.ts';
import type { Targets } from '../targets/targets.ts';
import { defaultTimeouts } from '../attempts/timeouts.ts';
import { type Approach, type DispatchTools, type Trial, unreachableProvider } from '../attempts/try-offer.ts';
import { attemptAllImages } from './attempt-all-images.ts';
import type { AttemptedImages, FlawOf, ImageAttempt, ImageEquipment } from './image-attempt.ts';
import type { ImageDispatch, ImageTask, ServedImages } from './image-task.ts';
import type { FetchedImages } from './input-images.ts';
import { owedImages } from './owed-images.ts';

export interface ImageDispatchOptions extends Omit<DispatchOptions, 'targets' | 'maxFrameBytes'> {
  targets: Targets<ImageProvider>;
  /** Checks the images fetched for clients; without it they are not checked. */
  findFlaw?: FlawOf;
}

type ImageApproach = Approach<ImageTask, ImageAttempt, AttemptedImages>;

const defaultMaxResponseBytes = 128 * 1024 * 1024;

export function createImageDispatch(options: ImageDispatchOptions): ImageDispatch {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const { targets, standings, routing = defaultRouting, maxResponseBytes = defaultMaxResponseBytes } = options;
  const { connectMs } = timeouts;
  const equipment: ImageEquipment = {
    pools: createPools({ connectMs }),
    fetcher: createImageFetcher({ connectMs, ...options.imageUrls }),
    results: createPublicAgent({ connectMs, allowLocal: false }),
    timeouts,
    maxResponseBytes,
    findFlaw: options.findFlaw,
  };
  const { pools } = equipment;
  const keys = createKeyBench(() => performance.now());
  const tools: DispatchTools = { targets, standings, routing, pools, keys };
  const known: FetchedImages = new WeakMap();
  const approach: ImageApproach = {
    streaming: false,
    attempt: (trial) => createAttempt(equipment, targets, trial),
    run: (attempt) => attemptAllImages(attempt, known),
  };
  return {
    make: (task) => make(tools, approach, task),
    async close() {
      await Promise.all([equipment.pools.close(), equipment.fetcher.close(), equipment.results.close()]);
    },
  };
}

function createAttempt(
  equipment: ImageEquipment,
  targets: Targets<ImageProvider>,
  { run, offer, target }: Trial<ImageTask>,
): ImageAttempt {
  const provider = findImageProvider(offer.providerId) ?? targets.custom?.(offer.providerId);
  if (provider === undefined) throw unreachableProvider(offer.providerId);
  return {
    equipment,
    provider,
    target,
    offer,
    task: run.job,
    onPartial: (partial) => run.job.onPartial?.({ ...partial, offer, attempts: run.records.length }),
    status: null,
    call: undefined,
    stopped: run.left,
    accepted: { count: 0 },
    connections: [],
  };
}

async function make(tools: DispatchTools, approach: ImageApproach, task: ImageTask): Promise<ServedImages> {
  const run = startRun(task);
  const attempts: ImageAttempt[] = [];
  const tried = await withFailover(tools, run, {
    ...approach,
    attempt(trial) {
      const attempt = approach.attempt(trial);
      attempts.push(attempt);
      return attempt;
    },
  });
  if (!tried.ok) {
    const { error, last } = tried;
    const owed = owedImages(run, last);
    const outcome = endRun(run, { served: owed?.offer, endReason: last?.endReason ?? 'error', error });
    const { usage, cost, imagesOwed } = owed ?? {};
    const isUnclear = mayHaveMade(attempts, run);
    task.onOutcome?.({ ...outcome, images: [], usage, cost, imagesOwed, isUnclear });
    throw error;
  }
  const { value: made, attempt } = tried;
  const { offer } = attempt;
  const cost = costOfImages(offer, made.images.length, made.usage);
  const outcome = endRun(run, { served: offer, endReason: 'done', error: undefined });
  task.onOutcome?.({ ...outcome, images: made.images, usage: made.usage, cost, isUnclear: false });
  return { ...made, ...(cost !== undefined && { cost }), offer, routing: run.records };
}

/** Whether a provider has received a request in full and not refused it: by its status, or as a matter of its policy. */
const mayHaveMade = (attempts: readonly ImageAttempt[], { records }: Run<ImageTask>): boolean =>
  attempts.some(({ accepted }, at) => accepted.count > 0 && records[at]?.error_type !== 'policy_content_filter');
