import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Link } from '@switchyard/bus';
import type { Store } from '@switchyard/store';
import { authService, GatewayError } from '@switchyard/contracts';
import { nanodollars } from '@switchyard/dispatch';
import { defineConfig, type Kit, oneOf, wholeNumber } from '@switchyard/service-kit';
import { z } from 'zod';
import { meteringEvents } from './events.ts';
import { createBudgets } from '../budgets/budgets.ts';
import { dearest, type Estimate } from './estimate.ts';
import { createUsageRecorder } from './recorder.ts';
import { createSpill } from './spill.ts';
import { type Accounted, recordOfHit, accountFor, type Asked, type Ended } from './usage-record.ts';

export const meteringConfig = defineConfig({
  USAGE_SPILL_DIR: {
    schema: z.string().optional(),
    example: '/var/lib/switchyard/usage',
    description:
      'Folder where records of use wait while the journal is away. Without it: in DATA_DIR where all is one process, else in the folder for temporary files.',
  },
  BUDGET_WHEN_AWAY: {
    schema: oneOf(['allow', 'deny']),
    default: 'allow',
    description:
      "What happens to requests of keys and accounts with a budget while nobody can say what is left of it: allow (each replica's part of what was left when it last knew), or deny.",
  },
  USAGE_SPILL_MAX_BYTES: {
    schema: wholeNumber(0, 2 ** 40),
    default: '134217728',
    description: 'How much may wait there; what is more is lost, and counted as lost.',
  },
});

/** Of requests whose callers wait for longer, what was set aside may come back before they end. */
const longestMs = 2 * 3_600_000;

export interface MeteringConfig {
  readonly BUDGET_WHEN_AWAY: 'allow' | 'deny';
  readonly USAGE_SPILL_DIR: string | undefined;
  readonly USAGE_SPILL_MAX_BYTES: number;
}

/** Sets aside what requests may cost, and books what they used. */
export interface Metering {
  /** An error to answer with when a budget does not allow it; what it may cost is estimated only where there is one. */
  enter(asked: Asked, estimate: () => Estimate): Promise<Metered | BudgetRefusal>;
  /** A request that was answered from the cache, for nothing. */
  cached(asked: Asked): void;
  /** Waits for what is on its way. */
  stop(deadlineMs: number): Promise<void>;
}

/** An answer rather than an error, as with tokens. */
export interface BudgetRefusal {
  headers: Record<string, string>;
  error: GatewayError;
}

/** One request that is being worked on. */
export interface Metered {
  /** What became of it. Once. */
  ended(ended: Ended): void;
  /** Resolves when that is written down, at once where there is nothing to write: an answer's end waits for it. */
  settled(): Promise<void>;
}

export interface MeteringNeeds {
  link: Link;
  store: Store;
  /** Of the catalogue in force. */
  priceVersion(): string;
}

export function openMetering(kit: Kit<MeteringConfig>, { link, store, priceVersion }: MeteringNeeds): Metering {
  const { config } = kit;
  const events = meteringEvents(kit);
  const directory = config.USAGE_SPILL_DIR ?? join(tmpdir(), 'switchyard-usage');
  const spill = createSpill({ directory, maxBytes: config.USAGE_SPILL_MAX_BYTES });
  const { usage, budgetsSpent } = createClient(link, authService);
  const budgets = createBudgets({
    ...{ store, group: kit.name, whenAway: config.BUDGET_WHEN_AWAY },
    askLedger: async (asked) => (await budgetsSpent({ asked: [...asked] })).spent,
    onDecision: events.budgetDecided,
    onNotCompared: events.budgetsNotCompared,
  });
  const recorder = createUsageRecorder({ append: usage.append, spill, events });

  return {
    async enter(asked, estimate) {
      const { principal, timeoutMs } = asked.head;
      const wanted = (): number => nanodollars(dearest(asked.plan, estimate()));
      const ttlMs = Math.min(Math.max(1, Math.ceil(timeoutMs)), longestMs);
      const reserved = await budgets.reserve(principal, wanted, ttlMs);
      if (reserved instanceof GatewayError) return { headers: {}, error: reserved };
      let written: Promise<void> = Promise.resolve();
      return {
        ended(ended) {
          const now = new Date();
          const accounted = accountFor(asked, ended, { priceVersion: priceVersion(), now });
          reserved?.settle(chargedFor(accounted), now);
          if (accounted === undefined) return;
          events.used(accounted.record);
          written = recorder.record(accounted.record);
        },
        settled: () => written,
      };
    },
    cached(asked) {
      const record = recordOfHit(asked, { priceVersion: priceVersion(), now: new Date() });
      if (record !== undefined) void recorder.record(record);
    },
    async stop(deadlineMs) {
      await Promise.all([recorder.stop(deadlineMs), budgets.stop()]);
    },
  };
}

/** What the account pays its providers itself is nothing of its budget here. */
const chargedFor = (accounted: Accounted | undefined): number =>
  accounted === undefined || accounted.record.ownKey ? 0 : nanodollars(accounted.price?.cost ?? 0n);
