import type { InputLine } from '@tallyport/wire';
import { requestIn } from '../lines/request-in.ts';

/** What each line may cost at most in billionths of a dollar, by their numbers and in their order. */
export type LineAmounts = ReadonlyMap<number, number>;

/** Estimates the lines of an input while they are read. */
export interface LineEstimates {
  /** Waits while earlier lines are being estimated. */
  add(line: InputLine): Promise<void>;
  /** Throws if some could not be estimated. */
  all(): Promise<LineAmounts>;
}

/** Of one group. */
const mostTogether = 100;
const mostBytes = 4 * 1024 ** 2;

/** One group is estimated while the next one is read. */
export function createLineEstimates(estimate: (bodies: readonly Buffer[]) => Promise<number[]>): LineEstimates {
  const amounts = new Map<number, number>();
  let group: { number: number; body: Buffer }[] = [];
  let bytes = 0;
  let running: Promise<void> = Promise.resolve();

  async function send(lines: typeof group): Promise<void> {
    const found = await estimate(lines.map(({ body }) => body));
    for (const [at, { number }] of lines.entries()) amounts.set(number, found[at] ?? 0);
  }

  async function flush(): Promise<void> {
    const lines = group;
    [group, bytes] = [[], 0];
    await running;
    if (lines.length === 0) return;
    running = send(lines);
    // It is awaited with the next group, or at the end.
    running.catch(() => undefined);
  }

  return {
    async add(line) {
      const body = requestIn(line.bytes);
      group.push({ number: line.number, body });
      bytes += body.length;
      if (group.length === mostTogether || bytes >= mostBytes) await flush();
    },
    async all() {
      await flush();
      await running;
      return amounts;
    },
  };
}

export const sumOfAmounts = (amounts: Iterable<number>): number => {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
};
