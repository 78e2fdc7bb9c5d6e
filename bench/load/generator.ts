import type { Pids } from '../measure/cpu.ts';
import { startChild } from '../support/child.ts';
import { messageOf } from '../support/messages.ts';
import type { LoadPlan, LoadResult } from './plan.ts';

/** Controls the process of the load generator. */
export interface Generator {
  pids: Pids;
  /**
   * Calls `onMeasuring` when the warm-up is over. Rejects at the deadline, after which the generator cannot be used.
   */
  run(plan: LoadPlan, options: { deadlineMs: number; onMeasuring: () => void }): Promise<LoadResult>;
  stop(): Promise<void>;
}

const measuring = messageOf<'measuring', { kind: 'measuring' }>('measuring');
const resultOf = messageOf<'result', LoadResult>('result');
const brokenOf = messageOf<'broken', { kind: 'broken'; message: string }>('broken');

export async function startGenerator(): Promise<Generator> {
  const child = startChild(new URL('./main.ts', import.meta.url));
  await child.receive(messageOf<'ready', { kind: 'ready' }>('ready'), 5_000);
  return {
    pids: { load: child.pid },
    async run(plan, { deadlineMs, onMeasuring }) {
      const began = child.receive((message) => measuring(message) ?? brokenOf(message), deadlineMs);
      const ended = child.receive((message) => resultOf(message) ?? brokenOf(message), deadlineMs);
      child.send(plan);
      began.then(onMeasuring).catch(() => undefined);
      const outcome = await ended;
      if (outcome.kind === 'broken') throw new Error(`the load generator failed: ${outcome.message}`);
      return outcome;
    },
    stop: child.stop,
  };
}
