import type { GatewayError } from '@switchyard/contracts';
import { findImageProvider, type ImageProvider } from '@switchyard/providers';
import { costOfImages } from '../price/cost.ts';
import type { DispatchOptions } from '../dispatch.ts';
import { millisecondsSince } from '../elapsed.ts';
import { withFailover } from '../failover.ts';
import { createImageFetcher } from '../inline/image-fetcher.ts';
import { createKeyBench } from '../key-bench.ts';
import { type Run, startRun } from '../run.ts';
import { defaultRouting } from '../settings.ts';
import type { Targets } from '../targets.ts';
import { defaultTimeouts } from '../timeouts.ts';
import { type Approach, type Tools, type Trial, unreachable } from '../try-offer.ts';
import { createPools } from '../upstream/pools.ts';
import { createPublicAgent } from '../upstream/public-agent.ts';
import { attemptImages } from './attempt-images.ts';
import type { FlawOf, ImageAttempt, ImageEquipment } from './image-attempt.ts';
import type { ImageDispatch, ImageOutcome, ImageTask, ServedImages } from './image-task.ts';
import type { FetchedImages } from './input-images.ts';
import type { AttemptedImages } from './made-images.ts';

export interface ImageDispatchOptions extends Omit<DispatchOptions, 'targets' | 'maxFrameBytes'> {
  targets: Targets<ImageProvider>;
  /** Looks at images that are fetched for clients; nobody does when absent. */
  flawOf?: FlawOf;
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
    flawOf: options.flawOf,
  };
  const tools: Tools = { targets, standings, routing, keys: createKeyBench(() => performance.now()) };
  const known: FetchedImages = new WeakMap();
  const approach: ImageApproach = {
    streaming: false,
    attempt: (trial) => createAttempt(equipment, targets, trial),
    run: (attempt) => attemptImages(attempt, known),
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
  if (provider === undefined) throw unreachable(offer.providerId);
  return { equipment, provider, target, offer, task: run.job, status: null, call: undefined, stopped: run.left };
}

async function make(tools: Tools, approach: ImageApproach, task: ImageTask): Promise<ServedImages> {
  const run = startRun(task);
  const tried = await withFailover(tools, run, approach);
  if (!tried.ok) {
    tell(run, { ...nothing, endReason: tried.last?.endReason ?? 'error', error: tried.error });
    throw tried.error;
  }
  const { value: made, attempt } = tried;
  const { offer } = attempt;
  const cost = costOfImages(offer, made.images.length, made.usage);
  tell(run, { ...nothing, served: offer, images: made.images, usage: made.usage, cost });
  return { ...made, ...(cost !== undefined && { cost }), offer, routing: run.records };
}

const nothing = {
  ...{ served: undefined, images: [], usage: undefined, cost: undefined },
  endReason: 'done',
  error: undefined as GatewayError | undefined,
} as const;

function tell(run: Run<ImageTask>, told: Omit<ImageOutcome, 'attempts' | 'durationMs'>): void {
  run.stopListening();
  run.job.onOutcome?.({ attempts: run.records, durationMs: millisecondsSince(run.startedAt), ...told });
}
