import { setTimeout as pause } from 'node:timers/promises';
import type { ProgramName } from '../../scripts/distributed/settings.ts';
import type { Distributed, RunningReplica } from '../../scripts/distributed/start.ts';
import type { Balancer } from './balancer.ts';

interface Termination {
  program: ProgramName;
  replica: RunningReplica;
  balancer?: Balancer | undefined;
  graceMs: number;
}

const preStopMs = 1_000;

/**
 * Like a kubelet: removes the replica from the balancer, sends SIGTERM after preStop, and waits for the grace period.
 * Resolves with how the process ended.
 */
export async function terminate(
  running: Distributed,
  { program, replica, balancer, graceMs }: Termination,
): Promise<string> {
  balancer?.remove(replica);
  await pause(preStopMs);
  return (await running.drain(program, { index: replica.index, deadlineMs: graceMs })) ?? 'still runs';
}
