import type { Client } from '@tallyport/bus';
import type { authService } from '@tallyport/contracts';

/** The operations available at the command line, wherever the accounts are stored. */
export interface Administration extends Pick<
  Client<typeof authService.operations>,
  'createKey' | 'listKeys' | 'makePasswordLink' | 'revokeKey'
> {
  close(): Promise<void>;
}
