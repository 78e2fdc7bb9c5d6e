import { type Database, isUnavailable } from '@tallyport/database';
import type { Secrets } from '@tallyport/management-server';
import { ensureDefaultAccount } from './accounts/account.ts';
import { type BootstrapResult, ensureBootstrapKey } from './keys/bootstrap-key.ts';
import type { Ledger } from './ledger/keep-ledger.ts';
import { type FirstOwnerOptions, prepareFirstOwner } from './enrolment/prepare-first-owner.ts';

export interface Preparation {
  /**
   * Tries once. Resolves with whether the preparation is complete; a retry is scheduled if the database is not
   * reachable. Throws for errors that a retry does not fix.
   */
  start(): Promise<boolean>;
  done(): boolean;
  stop(): void;
}

interface PreparationOptions {
  database: Database;
  secrets: Pick<Secrets, 'prepare'>;
  ledger: Pick<Ledger, 'start'>;
  bootstrapKey: string | undefined;
  onBootstrap: (result: BootstrapResult) => void;
  /** Creates the first owner; absent without pages. */
  firstOwner: FirstOwnerOptions | undefined;
  /** Called when the database is not reachable; it is tried again. */
  onAwaited: (error: unknown) => void;
  /** Called when a retry fails for a reason that waiting does not fix. */
  onFailed: (error: unknown) => void;
}

const firstWaitMs = 250;
const longestWaitMs = 5_000;

/**
 * Prepares schema, master key, default account, bootstrap key, first owner and the ledger's partitions: at the start,
 * or as soon as the database is reachable.
 */
export function createPreparation(options: PreparationOptions): Preparation {
  const { database, secrets, ledger, bootstrapKey, onBootstrap, firstOwner, onAwaited, onFailed } = options;
  let done = false;
  let stopped = false;
  let waitMs = firstWaitMs;
  let timer: NodeJS.Timeout | undefined;

  async function prepare(): Promise<void> {
    await database.migrate();
    // Before anything is written: nothing may change if the master key is a different one.
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
