import { authService, type Call } from '@tallyport/contracts';
import type { DirectoryInUseError } from '@tallyport/database';
import { callControl } from '@tallyport/service-kit';
import type { Administration } from './administration.ts';
import { socketPath } from './socket-path.ts';

/** Administers the accounts of the running process that holds the data directory. */
export function throughSocket({ directory, pid }: DirectoryInUseError): Administration {
  const { operations } = authService;
  const holder = `The data directory ${directory} is in use by process ${pid}`;
  const place = {
    path: socketPath(directory),
    unheard: `${holder}, which does not accept commands. Stop it, then try again.`,
  };
  const through =
    <Input, Output>(operation: keyof typeof operations, contract: Call<Input, Output>) =>
    (input: Input): Promise<Output> =>
      callControl({ ...place, operation, contract, input });
  return {
    createKey: through('createKey', operations.createKey),
    listKeys: through('listKeys', operations.listKeys),
    makePasswordLink: through('makePasswordLink', operations.makePasswordLink),
    revokeKey: through('revokeKey', operations.revokeKey),
    close: async () => {},
  };
}
