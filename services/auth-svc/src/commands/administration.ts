import type { Client } from '@switchyard/bus';
import type { authService } from '@switchyard/contracts';

/** What an operator may do at the command line, wherever accounts are kept. */
export interface Administration extends Pick<
  Client<typeof authService.operations>,
  'createKey' | 'listKeys' | 'makePasswordLink' | 'revokeKey'
> {
  close(): Promise<void>;
}
