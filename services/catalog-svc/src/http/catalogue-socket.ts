import { join } from 'node:path';
import { createClient, type Link } from '@tallyport/bus';
import { catalogService } from '@tallyport/contracts';
import type { DirectoryInUseError } from '@tallyport/database';
import { callControl, controlOperation, controlSocket, type Kit, type Part } from '@tallyport/service-kit';
import type { CatalogueAdministration } from '../command/administration.ts';

const pathIn = (dataDirectory: string): string => join(dataDirectory, 'control', 'catalogue.sock');

const { listOverrides, priceList, removeOverride, setOverride, snapshot } = catalogService.operations;

/** Serves `npm run catalog` while an embedded instance holds the data directory. */
export function catalogueSocket(kit: Kit<{ readonly DATA_DIR: string }>, { link }: { link: Link }): Part {
  const client = createClient(link, catalogService);
  return controlSocket({
    name: 'catalogue socket',
    path: pathIn(kit.config.DATA_DIR),
    operations: {
      listOverrides: controlOperation(listOverrides, client.listOverrides),
      priceList: controlOperation(priceList, client.priceList),
      removeOverride: controlOperation(removeOverride, client.removeOverride),
      setOverride: controlOperation(setOverride, client.setOverride),
      snapshot: controlOperation(snapshot, client.snapshot),
    },
    log: kit.log,
  });
}

/** Administers the catalogue of the running instance that holds the data directory. */
export function catalogueThroughSocket({ directory, pid }: DirectoryInUseError): CatalogueAdministration {
  const reason = `The data directory ${directory} is in use by process ${pid}`;
  const place = {
    path: pathIn(directory),
    unheard: `${reason}, which does not accept commands. Stop it and try again.`,
  };
  return {
    listOverrides: (input) => callControl({ ...place, operation: 'listOverrides', contract: listOverrides, input }),
    priceList: (input) => callControl({ ...place, operation: 'priceList', contract: priceList, input }),
    removeOverride: (input) => callControl({ ...place, operation: 'removeOverride', contract: removeOverride, input }),
    setOverride: (input) => callControl({ ...place, operation: 'setOverride', contract: setOverride, input }),
    snapshot: (input) => callControl({ ...place, operation: 'snapshot', contract: snapshot, input }),
    close: async () => {},
  };
}
