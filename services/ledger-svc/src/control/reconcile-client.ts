import { join } from 'node:path';
import { type Client, createClient, type Link } from '@tallyport/bus';
import { ledgerService } from '@tallyport/contracts';
import type { DirectoryInUseError } from '@tallyport/database';
import { heldPlace, patient } from '@tallyport/management-server';
import { callControl, controlOperation, controlSocket, type Kit, type Part } from '@tallyport/service-kit';

const { keepReconciliation, usageOfVendor } = ledgerService.operations;

/** What `npm run reconcile` needs, wherever the ledger is stored. */
export type ReconcileClient = Pick<Client<typeof ledgerService.operations>, 'keepReconciliation' | 'usageOfVendor'>;

/** The operations over the bus. */
export function reconcileClient(link: Link): ReconcileClient {
  const client = createClient(link, ledgerService);
  return {
    keepReconciliation: patient(client.keepReconciliation),
    usageOfVendor: patient(client.usageOfVendor),
  };
}

const pathIn = (dataDirectory: string): string => join(dataDirectory, 'control', 'reconcile.sock');

/** Serves `npm run reconcile`, which cannot open an embedded database that a process holds. */
export function reconcileSocket(kit: Kit<{ readonly DATA_DIR: string }>, { link }: { link: Link }): Part {
  const client = reconcileClient(link);
  return controlSocket({
    name: 'reconcile socket',
    path: pathIn(kit.config.DATA_DIR),
    operations: {
      keepReconciliation: controlOperation(keepReconciliation, client.keepReconciliation),
      usageOfVendor: controlOperation(usageOfVendor, client.usageOfVendor),
    },
    log: kit.log,
  });
}

/** Uses the ledger of the running process that holds the data directory. */
export function reconcileThroughSocket(held: DirectoryInUseError): ReconcileClient {
  const place = heldPlace(held, pathIn);
  return {
    keepReconciliation: (input) =>
      callControl({ ...place, operation: 'keepReconciliation', contract: keepReconciliation, input }),
    usageOfVendor: (input) => callControl({ ...place, operation: 'usageOfVendor', contract: usageOfVendor, input }),
  };
}
