import type { Client } from '@tallyport/bus';
import type { authService } from '@tallyport/contracts';

/** The operations available at the command line, wherever the accounts are stored. */
export interface Administration extends Pick<
  Client<typeof authService.operations>,
  'addDemoDay' | 'createKey' | 'listKeys' | 'makePasswordLink' | 'prepareDemo' | 'removeDemo' | 'revokeKey'
> {
  close(): Promise<void>;
}
