import type { Database } from '@tallyport/database';
import { repeat } from '@tallyport/service-kit';
import type { Announce } from '../../bus/announce.ts';
import type { Identity } from '../document/read-identity.ts';
import { removeAbsent } from './remove-absent.ts';

interface AbsenceSweeperOptions {
  database: Database;
  identity(): Identity;
  announce: Pick<Announce, 'keysEnded'>;
  onFailed(error: unknown): void;
}

const everyMs = 10 * 60_000;

/** Removes absent people every ten minutes until the returned function is called. */
export function startAbsenceSweeper({ database, identity, announce, onFailed }: AbsenceSweeperOptions): () => void {
  async function sweep(): Promise<void> {
    for (const provider of identity().providers) announce.keysEnded(await removeAbsent(database, provider));
  }
  return repeat({ everyMs, onFailed }, sweep);
}
