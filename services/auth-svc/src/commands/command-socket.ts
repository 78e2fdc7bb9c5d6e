import { createClient, type Link } from '@switchyard/bus';
import { authService } from '@switchyard/contracts';
import { controlOperation, controlSocket, type Kit, type Part } from '@switchyard/service-kit';
import { socketPath } from './socket-path.ts';

/** A socket for `npm run key` and `npm run user`, which cannot open an embedded database that a process holds. */
export function commandSocket(kit: Kit<{ readonly DATA_DIR: string }>, { link }: { link: Link }): Part {
  const { createKey, listKeys, makePasswordLink, revokeKey } = createClient(link, authService);
  const { operations } = authService;
  return controlSocket({
    name: 'command socket',
    path: socketPath(kit.config.DATA_DIR),
    operations: {
      createKey: controlOperation(operations.createKey, createKey),
      listKeys: controlOperation(operations.listKeys, listKeys),
      makePasswordLink: controlOperation(operations.makePasswordLink, makePasswordLink),
      revokeKey: controlOperation(operations.revokeKey, revokeKey),
    },
    log: kit.log,
  });
}
