import { createClient, type Link } from '@switchyard/bus';
import { authService } from '@switchyard/contracts';
import { controlOperation, controlSocket, type Kit, type Part } from '@switchyard/service-kit';
import { socketPath } from './socket-path.ts';

/** Lets `npm run key` work while an embedded instance holds the data directory. */
export function commandSocket(kit: Kit<{ readonly DATA_DIR: string }>, { link }: { link: Link }): Part {
  const { createKey, listKeys, revokeKey } = createClient(link, authService);
  const { operations } = authService;
  return controlSocket({
    name: 'key socket',
    path: socketPath(kit.config.DATA_DIR),
    operations: {
      createKey: controlOperation(operations.createKey, createKey),
      listKeys: controlOperation(operations.listKeys, listKeys),
      revokeKey: controlOperation(operations.revokeKey, revokeKey),
    },
    log: kit.log,
  });
}
