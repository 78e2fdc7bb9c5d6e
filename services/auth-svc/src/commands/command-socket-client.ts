import { authService } from '@switchyard/contracts';
import type { DirectoryInUseError } from '@switchyard/database';
import { callControl } from '@switchyard/service-kit';
import type { Administration } from './administration.ts';
import { socketPath } from './socket-path.ts';

/** Administers the accounts of the running process that holds the data directory. */
export function throughSocket({ directory, pid }: DirectoryInUseError): Administration {
  const { createKey, listKeys, makePasswordLink, revokeKey } = authService.operations;
  const holder = `The data directory ${directory} is in use by process ${pid}`;
  const place = {
    path: socketPath(directory),
    unheard: `${holder}, which does not accept commands. Stop it, then try again.`,
  };
  return {
    createKey: (input) => callControl({ ...place, operation: 'createKey', contract: createKey, input }),
    listKeys: (input) => callControl({ ...place, operation: 'listKeys', contract: listKeys, input }),
    makePasswordLink: (input) =>
      callControl({ ...place, operation: 'makePasswordLink', contract: makePasswordLink, input }),
    revokeKey: (input) => callControl({ ...place, operation: 'revokeKey', contract: revokeKey, input }),
    close: async () => {},
  };
}
