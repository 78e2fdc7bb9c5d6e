import { type Database, isUnavailable } from '@switchyard/database';
import { ensureDefaultAccount } from '../accounts/account.ts';
import { type BootstrapResult, ensureBootstrapKey } from '../keys/bootstrap-key.ts';
import type { Ledger } from '../ledger/keep-ledger.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type FirstOwnerOptions, prepareFirstOwner } from '../users/prepare-first-owner.ts';

export interface Preparation {
  /** One try. Resolves to whether everything is there now; throws for what waiting does not mend. */
  start(): Promise<boolean>;
  done(): boolean;
  stop(): void;
}

export interface PreparationOptions {
  database: Database;
  secrets: Pick<Secrets, 'prepare'>;
  ledger: Pick<Ledger, 'start'>;
  bootstrapKey: string | undefined;
  onBootstrap: (result: BootstrapResult) => void;
  /** Where people come in: what makes the first of them. */
  firstOwner: FirstOwnerOptions | undefined;
  /** The database is away; it is tried again. */
  onAwaited: (error: unknown) => void;
  /** What failed in a later try and cannot be mended by waiting. */
  onFailed: (error: unknown) => void;
}

const firstWaitMs = 250;
const longestWaitMs = 5_000;

/** Schema, master key, default account, bootstrap key, first owner and the ledger's months: at the start, or as soon as the database is there. */
export function createPreparation(options: PreparationOptions): Preparation {
  const { database, secrets, ledger, bootstrapKey, onBootstrap, firstOwner, onAwaited, onFailed } = options;
  let done = false;
  let stopped = false;
  let waitMs = firstWaitMs;
  let timer: NodeJS.Timeout | undefined;

  async function prepare(): Promise<void> {
    await database.migrate();
    // Before anything is written: with another master key nothing may change.
    await secrets.prepare(database);
    await ensureDefaultAccount(database);
    if (bootstrapKey !== undefined) onBootstrap(await ensureBootstrapKey(database, bootstrapKey));
    if (firstOwner) await prepareFirstOwner(database, firstOwner);
    await ledger.start();
    done = true;
  }

  async function start(): Promise<boolean> {
    try {
      await prepare();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (stopped) return false;
      onAwaited(error);
      timer = setTimeout(() => void start().catch(onFailed), waitMs);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
    return done;
  }

  return {
    start,
    done: () => done,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
