import { join } from 'node:path';
import { type Client, createClient, type Link } from '@tallyport/bus';
import { type Call, ledgerService } from '@tallyport/contracts';
import type { DirectoryInUseError } from '@tallyport/database';
import { heldPlace, patient } from '@tallyport/management-server';
import { callControl, controlOperation, controlSocket, type Kit, type Part } from '@tallyport/service-kit';

const { operations } = ledgerService;

/** What `npm run demo-data`, `reconcile` and `recalculate` need, wherever the ledger is stored. */
export type LedgerCommandClient = Pick<
  Client<typeof operations>,
  'addDemoDay' | 'keepReconciliation' | 'prepareDemo' | 'recalculate' | 'removeDemo' | 'usageOfVendor'
>;

/** The operations over the bus. */
export function ledgerClient(link: Link): LedgerCommandClient {
  const client = createClient(link, ledgerService);
  return {
    addDemoDay: patient(client.addDemoDay),
    keepReconciliation: patient(client.keepReconciliation),
    prepareDemo: patient(client.prepareDemo),
    recalculate: patient(client.recalculate),
    removeDemo: patient(client.removeDemo),
    usageOfVendor: patient(client.usageOfVendor),
  };
}

const pathIn = (dataDirectory: string): string => join(dataDirectory, 'control', 'ledger.sock');

/** Serves commands, which cannot open an embedded database that a process holds. */
export function ledgerSocket(kit: Kit<{ readonly DATA_DIR: string }>, { link }: { link: Link }): Part {
  const client = ledgerClient(link);
  return controlSocket({
    name: 'ledger socket',
    path: pathIn(kit.config.DATA_DIR),
    operations: {
      addDemoDay: controlOperation(operations.addDemoDay, client.addDemoDay),
      keepReconciliation: controlOperation(operations.keepReconciliation, client.keepReconciliation),
      prepareDemo: controlOperation(operations.prepareDemo, client.prepareDemo),
      recalculate: controlOperation(operations.recalculate, client.recalculate),
      removeDemo: controlOperation(operations.removeDemo, client.removeDemo),
      usageOfVendor: controlOperation(operations.usageOfVendor, client.usageOfVendor),
    },
    log: kit.log,
  });
}

/** Uses the ledger of the running process that holds the data directory. */
export function ledgerThroughSocket(held: DirectoryInUseError): LedgerCommandClient {
  const place = heldPlace(held, pathIn);
  const through =
    <Input, Output>(operation: keyof LedgerCommandClient, contract: Call<Input, Output>) =>
    (input: Input): Promise<Output> =>
      callControl({ ...place, operation, contract, input });
  return {
    addDemoDay: through('addDemoDay', operations.addDemoDay),
    keepReconciliation: through('keepReconciliation', operations.keepReconciliation),
    prepareDemo: through('prepareDemo', operations.prepareDemo),
    recalculate: through('recalculate', operations.recalculate),
    removeDemo: through('removeDemo', operations.removeDemo),
    usageOfVendor: through('usageOfVendor', operations.usageOfVendor),
  };
}
