import { hash } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import process from 'node:process';

/** What a turn of the event loop computes to see how long the machine keeps it waiting: some milliseconds of a processor. */
const block = Buffer.alloc(1_000_000);
const rounds = 10;

/**
 * How many times longer than on a quiet machine things take now: the longest of the load for each processor, and the lag
 * of a busy turn of the event loop, which is its time divided by the time that a processor spent on it.
 */
export function measureLag(): number {
  return Math.max(1, loadavg()[0]! / availableParallelism(), lagOfTurn());
}

function lagOfTurn(): number {
  const from = performance.now();
  const before = process.threadCpuUsage();
  for (let round = 0; round < rounds; round += 1) hash('sha256', block);
  const { user, system } = process.threadCpuUsage(before);
  return (performance.now() - from) / Math.max(1, (user + system) / 1_000);
}

/**
 * A time that is enough on a quiet machine, lengthened by how busy this one is. It is for promises of the product ("a
 * revoked key ends within a second"); a wait without a promise needs no time of its own.
 */
export const patient = (quietMs: number): number => Math.round(quietMs * measureLag());
