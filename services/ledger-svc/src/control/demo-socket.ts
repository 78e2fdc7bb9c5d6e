import { join } from 'node:path';
import { type Client, createClient, type Link } from '@tallyport/bus';
import { ledgerService } from '@tallyport/contracts';
import type { DirectoryInUseError } from '@tallyport/database';
import { heldPlace, patient } from '@tallyport/management-server';
import { callControl, controlOperation, controlSocket, type Kit, type Part } from '@tallyport/service-kit';

const { addDemoDay, prepareDemo, removeDemo } = ledgerService.operations;

/** What `npm run demo-data` needs, wherever the ledger is stored. */
export type DemoClient = Pick<Client<typeof ledgerService.operations>, 'addDemoDay' | 'prepareDemo' | 'removeDemo'>;

export interface DemoAdministration extends DemoClient {
  close(): Promise<void>;
}

/** The operations over the bus. */
export function demoClient(link: Link): DemoClient {
  const client = createClient(link, ledgerService);
  return {
    addDemoDay: patient(client.addDemoDay),
    prepareDemo: patient(client.prepareDemo),
    removeDemo: patient(client.removeDemo),
  };
}

const pathIn = (dataDirectory: string): string => join(dataDirectory, 'control', 'demo-data.sock');

/** Serves `npm run demo-data`, which cannot open an embedded database that a process holds. */
export function demoSocket(kit: Kit<{ readonly DATA_DIR: string }>, { link }: { link: Link }): Part {
  const client = demoClient(link);
  return controlSocket({
    name: 'demo data socket',
    path: pathIn(kit.config.DATA_DIR),
    operations: {
      addDemoDay: controlOperation(addDemoDay, client.addDemoDay),
      prepareDemo: controlOperation(prepareDemo, client.prepareDemo),
      removeDemo: controlOperation(removeDemo, client.removeDemo),
    },
    log: kit.log,
  });
}

/** Uses the ledger of the running process that holds the data directory. */
export function demoThroughSocket(held: DirectoryInUseError): DemoClient {
  const place = heldPlace(held, pathIn);
  return {
    addDemoDay: (input) => callControl({ ...place, operation: 'addDemoDay', contract: addDemoDay, input }),
    prepareDemo: (input) => callControl({ ...place, operation: 'prepareDemo', contract: prepareDemo, input }),
    removeDemo: (input) => callControl({ ...place, operation: 'removeDemo', contract: removeDemo, input }),
  };
}
