import { join } from 'node:path';
import { createClient, type Link } from '@switchyard/bus';
import { catalogService } from '@switchyard/contracts';
import type { DirectoryInUseError } from '@switchyard/database';
import { askControl, controlOperation, controlSocket, type Kit, type Part } from '@switchyard/service-kit';
import type { CatalogueAdministration } from '../command/administration.ts';

const pathIn = (dataDirectory: string): string => join(dataDirectory, 'control', 'catalogue.sock');

const { listOverrides, removeOverride, setOverride, snapshot } = catalogService.operations;

/** Lets `npm run catalog` work while an embedded instance holds the data directory. */
export function catalogueSocket(kit: Kit<{ readonly DATA_DIR: string }>, { link }: { link: Link }): Part {
  const client = createClient(link, catalogService);
  return controlSocket({
    name: 'catalogue socket',
    path: pathIn(kit.config.DATA_DIR),
    operations: {
      listOverrides: controlOperation(listOverrides, client.listOverrides),
      removeOverride: controlOperation(removeOverride, client.removeOverride),
      setOverride: controlOperation(setOverride, client.setOverride),
      snapshot: controlOperation(snapshot, client.snapshot),
    },
    log: kit.log,
  });
}

/** The catalogue of the running instance that holds the data directory. */
export function catalogueThroughSocket({ directory, pid }: DirectoryInUseError): CatalogueAdministration {
  const who = `The data directory ${directory} is in use by process ${pid}`;
  const place = { path: pathIn(directory), unheard: `${who}, which does not take commands: stop it, then try again.` };
  return {
    listOverrides: (input) => askControl({ ...place, operation: 'listOverrides', contract: listOverrides, input }),
    removeOverride: (input) => askControl({ ...place, operation: 'removeOverride', contract: removeOverride, input }),
    setOverride: (input) => askControl({ ...place, operation: 'setOverride', contract: setOverride, input }),
    snapshot: (input) => askControl({ ...place, operation: 'snapshot', contract: snapshot, input }),
    close: async () => {},
  };
}
