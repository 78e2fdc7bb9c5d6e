import { join } from 'node:path';
import { type CallOptions, type Client, createClient, type Link } from '@tallyport/bus';
import { ledgerService } from '@tallyport/contracts';
import type { DirectoryInUseError } from '@tallyport/database';
import { callControl, controlOperation, controlSocket, type Kit, type Part } from '@tallyport/service-kit';

const { addDemoDay, prepareDemo, removeDemo } = ledgerService.operations;

/** What `npm run demo-data` needs, wherever the ledger is stored. */
export type DemoClient = Pick<Client<typeof ledgerService.operations>, 'addDemoDay' | 'prepareDemo' | 'removeDemo'>;

export interface DemoAdministration extends DemoClient {
  close(): Promise<void>;
}

/**
 * Longer than the usual limit of a call, because a day of demo data is thousands of records and the embedded database
 * may be busy. Shorter than the limit of the socket, so that its caller reads the reason.
 */
const commandMs = 50_000;

/** The operations over the bus. */
export function demoClient(link: Link): DemoClient {
  const client = createClient(link, ledgerService);
  return {
    addDemoDay: patient(client.addDemoDay),
    prepareDemo: patient(client.prepareDemo),
    removeDemo: patient(client.removeDemo),
  };
}

const patient =
  <Input, Output>(call: (input: Input, options: CallOptions) => Promise<Output>) =>
  (input: Input): Promise<Output> =>
    call(input, { timeoutMs: commandMs });

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
export function demoThroughSocket({ directory, pid }: DirectoryInUseError): DemoAdministration {
  const reason = `The data directory ${directory} is in use by process ${pid}`;
  const place = {
    path: pathIn(directory),
    unheard: `${reason}, which does not accept commands. Stop it, then try again.`,
  };
  return {
    addDemoDay: (input) => callControl({ ...place, operation: 'addDemoDay', contract: addDemoDay, input }),
    prepareDemo: (input) => callControl({ ...place, operation: 'prepareDemo', contract: prepareDemo, input }),
    removeDemo: (input) => callControl({ ...place, operation: 'removeDemo', contract: removeDemo, input }),
    close: async () => {},
  };
}
