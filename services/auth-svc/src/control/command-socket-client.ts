import { authService, type Call } from '@tallyport/contracts';
import type { DirectoryInUseError } from '@tallyport/database';
import { heldPlace } from '@tallyport/management-server';
import { callControl } from '@tallyport/service-kit';
import type { CommandClient } from './administration.ts';
import { socketPath } from './socket-path.ts';

/** Administers the accounts of the running process that holds the data directory. */
export function throughSocket(held: DirectoryInUseError): CommandClient {
  const { operations } = authService;
  const place = heldPlace(held, socketPath);
  const through =
    <Input, Output>(operation: keyof typeof operations, contract: Call<Input, Output>) =>
    (input: Input): Promise<Output> =>
      callControl({ ...place, operation, contract, input });
  return {
    createKey: through('createKey', operations.createKey),
    listKeys: through('listKeys', operations.listKeys),
    makePasswordLink: through('makePasswordLink', operations.makePasswordLink),
    revokeKey: through('revokeKey', operations.revokeKey),
  };
}
