import { authService } from '@switchyard/contracts';
import type { DirectoryInUseError } from '@switchyard/database';
import { askControl } from '@switchyard/service-kit';
import type { Administration } from './administration.ts';
import { socketPath } from './socket-path.ts';

/** The accounts of the running instance that holds the data directory. */
export function throughSocket({ directory, pid }: DirectoryInUseError): Administration {
  const { createKey, listKeys, makePasswordLink, revokeKey } = authService.operations;
  const who = `The data directory ${directory} is in use by process ${pid}`;
  const place = {
    path: socketPath(directory),
    unheard: `${who}, which does not take commands: stop it, then try again.`,
  };
  return {
    createKey: (input) => askControl({ ...place, operation: 'createKey', contract: createKey, input }),
    listKeys: (input) => askControl({ ...place, operation: 'listKeys', contract: listKeys, input }),
    makePasswordLink: (input) =>
      askControl({ ...place, operation: 'makePasswordLink', contract: makePasswordLink, input }),
    revokeKey: (input) => askControl({ ...place, operation: 'revokeKey', contract: revokeKey, input }),
    close: async () => {},
  };
}
