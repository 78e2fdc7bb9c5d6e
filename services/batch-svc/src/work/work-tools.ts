import type { FairTurns } from '@tallyport/limits';
import type { BatchTools } from '../batches/batch-tools.ts';
import type { VendorClient } from '../vendors/vendor-client.ts';
import type { LineRunners } from './line-runners.ts';

/** What a replica needs for the work of batches. */
export interface WorkTools extends Omit<BatchTools, 'wake'> {
  runners: LineRunners;
  vendors: VendorClient;
  /** The lines of this replica take turns, by account. */
  turns: FairTurns;
  /** Whether the database has been reached. */
  isReady(): boolean;
  /** Of this process. */
  holder: string;
}
