import type { Client } from '@tallyport/bus';
import type { authService } from '@tallyport/contracts';

/** The operations available at the command line. */
export type CommandClient = Pick<
  Client<typeof authService.operations>,
  'createKey' | 'listKeys' | 'makePasswordLink' | 'revokeKey'
>;

/** The same, wherever the accounts are stored. */
export interface Administration extends CommandClient {
  close(): Promise<void>;
}
