import { setTimeout as pause } from 'node:timers/promises';
import type { LineEndpoint } from './line-runners.ts';

/** A service that is restarted is back by then. */
const pausesMs = [1_000, 10_000, 60_000];

/** Deletes answers that were kept for repeats, of which there are none any more. Never rejects: at last, they expire. */
export async function forgetAnswers(
  { forget }: Pick<LineEndpoint, 'forget'>,
  answers: Parameters<LineEndpoint['forget']>[0],
): Promise<void> {
  const isForgotten = () =>
    forget(answers).then(
      () => true,
      () => false,
    );
  for (const ms of pausesMs) {
    if (await isForgotten()) return;
    await pause(ms, undefined, { ref: false });
  }
  await isForgotten();
}
