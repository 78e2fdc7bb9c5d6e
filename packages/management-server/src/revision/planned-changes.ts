import { setTimeout as pause } from 'node:timers/promises';
import { GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { createFairTurns } from '@tallyport/limits';
import { revisionHeader } from '@tallyport/management';
import { oneReplica } from './one-replica.ts';
import { readRevision } from './read-revision.ts';

/** Changes that follow a plan, one at a time in all replicas. */
export interface PlannedChanges {
  /** Does the work while no other planned change is made. Throws `unavailable` if its turn does not come in time. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same for a change that was planned on a revision. Throws `conflict` if there is a later one. */
  change<Result>(planned: string, work: () => Promise<Result>): Promise<{ result: Result; revision: string }>;
}

interface PlannedChangesOptions {
  database: Database;
  /** Whether other processes have the database as well. The embedded one has one connection, which a lock would block. */
  isShared: boolean;
}

/** Longer than a round of the document of GATEWAY_CONFIG, and less than a client of the API waits. */
const waitMs = 10_000;
const lookMs = 25;

export function createPlannedChanges({ database, isShared }: PlannedChangesOptions): PlannedChanges {
  const turns = createFairTurns({ atOnce: 1, maxWaiting: 100, waitMs });

  async function inReplicas<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!isShared) return work();
    for (const endsAt = performance.now() + waitMs; performance.now() < endsAt; await pause(lookMs)) {
      const done = await oneReplica(database, async () => ({ result: await work() }));
      if (done !== undefined) return done.result;
    }
    throw busy();
  }

  async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const end = await turns.wait('planned changes');
    if (end === undefined) throw busy();
    try {
      return await inReplicas(work);
    } finally {
      end();
    }
  }

  return {
    alone,
    change: (planned, work) =>
      alone(async () => {
        if (planned !== (await readRevision(database.kysely))) throw outdated();
        const result = await work();
        return { result, revision: await readRevision(database.kysely) };
      }),
  };
}

const busy = (): GatewayError =>
  new GatewayError('unavailable', 'Another document is being applied. Try again in a few seconds.', {
    retryAfterMs: 2_000,
  });

const outdated = (): GatewayError =>
  new GatewayError('conflict', 'Accounts have changed since this was planned. Plan again and look at the changes.', {
    param: revisionHeader,
  });
