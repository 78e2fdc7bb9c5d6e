import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Link } from '@switchyard/bus';
import type { Store } from '@switchyard/store';
import { authService, type GatewayError } from '@switchyard/contracts';
import { defineConfig, type Kit, wholeNumber } from '@switchyard/service-kit';
import { z } from 'zod';
import { meteringEvents } from './events.ts';
import type { Estimate } from './estimate.ts';
import { createUsageRecorder } from './recorder.ts';
import { createSpill } from './spill.ts';
import { recordOfHit, accountFor, type Asked, type Ended } from './usage-record.ts';

export const meteringConfig = defineConfig({
  USAGE_SPILL_DIR: {
    schema: z.string().optional(),
    example: '/var/lib/switchyard/usage',
    description:
      'Folder where records of use wait while the journal is away. Without it: in DATA_DIR where all is one process, else in the folder for temporary files.',
  },
  USAGE_SPILL_MAX_BYTES: {
    schema: wholeNumber(0, 2 ** 40),
    default: '134217728',
    description: 'How much may wait there; what is more is lost, and counted as lost.',
  },
});

export interface MeteringConfig {
  readonly USAGE_SPILL_DIR: string | undefined;
  readonly USAGE_SPILL_MAX_BYTES: number;
}

/** Books what requests use. */
export interface Metering {
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

export function openMetering(kit: Kit<MeteringConfig>, { link, priceVersion }: MeteringNeeds): Metering {
  const { config } = kit;
  const events = meteringEvents(kit);
  const directory = config.USAGE_SPILL_DIR ?? join(tmpdir(), 'switchyard-usage');
  const spill = createSpill({ directory, maxBytes: config.USAGE_SPILL_MAX_BYTES });
  const { usage } = createClient(link, authService);
  const recorder = createUsageRecorder({ append: usage.append, spill, events });

  return {
    async enter(asked) {
      let written: Promise<void> = Promise.resolve();
      return {
        ended(ended) {
          const accounted = accountFor(asked, ended, { priceVersion: priceVersion(), now: new Date() });
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
    stop: (deadlineMs) => recorder.stop(deadlineMs),
  };
}
