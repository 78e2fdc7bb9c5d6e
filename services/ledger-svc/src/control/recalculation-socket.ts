import { join } from 'node:path';
import { type Client, createClient, type Link } from '@tallyport/bus';
import { ledgerService } from '@tallyport/contracts';
import type { DirectoryInUseError } from '@tallyport/database';
import { heldPlace, patient } from '@tallyport/management-server';
import { callControl, controlOperation, controlSocket, type Kit, type Part } from '@tallyport/service-kit';

const { recalculate } = ledgerService.operations;

/** What `npm run recalculate` needs, wherever the ledger is stored. */
export type RecalculationClient = Pick<Client<typeof ledgerService.operations>, 'recalculate'>;

export const recalculationClient = (link: Link): RecalculationClient => ({
  recalculate: patient(createClient(link, ledgerService).recalculate),
});

const pathIn = (dataDirectory: string): string => join(dataDirectory, 'control', 'recalculation.sock');

/** Serves `npm run recalculate`, which cannot open an embedded database that a process holds. */
export const recalculationSocket = (kit: Kit<{ readonly DATA_DIR: string }>, { link }: { link: Link }): Part =>
  controlSocket({
    name: 'recalculation socket',
    path: pathIn(kit.config.DATA_DIR),
    operations: { recalculate: controlOperation(recalculate, recalculationClient(link).recalculate) },
    log: kit.log,
  });

/** Uses the ledger of the running process that holds the data directory. */
export function recalculationThroughSocket(held: DirectoryInUseError): RecalculationClient {
  const place = heldPlace(held, pathIn);
  return { recalculate: (input) => callControl({ ...place, operation: 'recalculate', contract: recalculate, input }) };
}
