import type { Link } from '@tallyport/bus';
import { authService } from '@tallyport/contracts';
import { controlOperation, controlSocket, type Kit, type Part } from '@tallyport/service-kit';
import { commandClient } from './command-client.ts';
import { socketPath } from './socket-path.ts';

/** A socket for `npm run key` and `npm run user`, which cannot open an embedded database that a process holds. */
export function commandSocket(kit: Kit<{ readonly DATA_DIR: string }>, { link }: { link: Link }): Part {
  const client = commandClient(link);
  const { operations } = authService;
  return controlSocket({
    name: 'command socket',
    path: socketPath(kit.config.DATA_DIR),
    operations: {
      createKey: controlOperation(operations.createKey, client.createKey),
      listKeys: controlOperation(operations.listKeys, client.listKeys),
      makePasswordLink: controlOperation(operations.makePasswordLink, client.makePasswordLink),
      revokeKey: controlOperation(operations.revokeKey, client.revokeKey),
    },
    log: kit.log,
  });
}
