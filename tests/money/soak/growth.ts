import { setTimeout as pause } from 'node:timers/promises';
import { namesOf } from '@tallyport/contracts';
import type { Distributed } from '../../../scripts/distributed/start.ts';
import { readSamples } from './metrics.ts';

interface Point {
  minute: number;
  value: number;
}

const figures = {
  'RSS MB': { metric: 'process_resident_memory_bytes', unit: 1_000_000 },
  'heap MB': { metric: 'nodejs_heap_size_used_bytes', unit: 1_000_000 },
  'external MB': { metric: 'nodejs_external_memory_bytes', unit: 1_000_000 },
  descriptors: { metric: 'process_open_fds', unit: 1 },
} as const;

const figureNames = namesOf(figures);

interface Series extends Pick<Growth, 'process' | 'figure'> {
  points: Point[];
}

export interface Growth {
  process: string;
  figure: keyof typeof figures;
  first: number;
  last: number;
  perMinute: number;
}

const everyMs = 2_000;
/** Number of periods whose lowest value is used, to leave out garbage and running requests. */
const parts = 20;

/** Samples the processes that are never killed and returns their growth after the warm-up. */
export async function watchGrowth(
  gateway: Distributed,
  { warmUpMs, over, isLasting }: { warmUpMs: number; over: AbortSignal; isLasting(process: string): boolean },
): Promise<Growth[]> {
  const points = new Map<string, Series>();
  await pause(warmUpMs, undefined, { signal: over }).catch(() => undefined);
  const from = performance.now();
  while (!over.aborted) {
    for (const { process, sum } of await readSamples(gateway)) {
      if (!isLasting(process)) continue;
      const minute = (performance.now() - from) / 60_000;
      for (const figure of figureNames) {
        const { metric, unit } = figures[figure];
        const series = points.get(`${process} ${figure}`) ?? { process, figure, points: [] };
        points.set(`${process} ${figure}`, series);
        series.points.push({ minute, value: sum(metric) / unit });
      }
    }
    await pause(everyMs, undefined, { signal: over }).catch(() => undefined);
  }
  return [...points.values()].map(growthOf);
}

function growthOf({ process, figure, points }: Series): Growth {
  const lowest = lowestOfParts(points);
  const round = (value = 0) => Math.round(value * 100) / 100;
  const [first, last] = [lowest[0], lowest.at(-1)].map((point) => round(point?.value));
  return { process, figure, first: first ?? 0, last: last ?? 0, perMinute: round(slopeOf(lowest)) };
}

function lowestOfParts(points: readonly Point[]): Point[] {
  const size = Math.max(1, Math.ceil(points.length / parts));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, part) =>
    points.slice(part * size, (part + 1) * size).reduce((low, point) => (point.value < low.value ? point : low)),
  );
}

/** The slope by least squares. */
function slopeOf(points: readonly Point[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [minute, value] = [mean(points.map((point) => point.minute)), mean(points.map((point) => point.value))];
  const spread = points.reduce((sum, point) => sum + (point.minute - minute) ** 2, 0);
  const together = points.reduce((sum, point) => sum + (point.minute - minute) * (point.value - value), 0);
  return spread === 0 ? 0 : together / spread;
}
