import { appendFileSync } from 'node:fs';

/** Whether this run is `npm run test:all`. `npm test` runs large tests at a smaller scale. */
export const wholly = process.env['TEST_SCALE'] === 'whole';

/** Which sample this run takes: a number that `npm test` derives from the commit. */
const turn = Number(process.env['TEST_SAMPLE'] ?? 0);

interface Sampling {
  /** What the items are, for the list of what a run left out. */
  of: string;
  stride: number;
  /** Where the sample begins. Samples that begin at `stride` consecutive places cover every item together. */
  from?: number;
}

/**
 * In `npm test`, every `stride`th item: the same ones for the same commit, others for another commit. In `npm run
 * test:all`, all items.
 */
export function sampled<T>(items: readonly T[], { of, stride, from = 0 }: Sampling): T[] {
  if (wholly) return [...items];
  const taken = everyNth(items, stride, from + turn);
  noteLeftOut({ of, left: items.length - taken.length, all: items.length });
  return taken;
}

/** In `npm test`, a fourth of the runs of a property: every run generates other inputs. In `npm run test:all`, all. */
export function runsOf(all: number): number {
  if (wholly) return all;
  const taken = Math.ceil(all / 4);
  noteLeftOut({ of: 'generated inputs', left: all - taken, all });
  return taken;
}

/** Whether this run includes a proof that `npm test` leaves out as a whole, because another test covers most of it. */
export function inWhole(of: string): boolean {
  if (!wholly) noteLeftOut({ of, left: 1, all: 1 });
  return wholly;
}

export const everyNth = <T>(items: readonly T[], stride: number, from: number): T[] =>
  items.filter((_, index) => (index + from) % stride === 0);

/** Adds a line to the file from which `npm test` prints at its end what it left out. */
function noteLeftOut(leftOut: { of: string; left: number; all: number }): void {
  const file = process.env['TEST_LEFT_OUT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(leftOut)}\n`);
}
