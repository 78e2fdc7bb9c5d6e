import { directoryHolder } from '@tallyport/database';
import { type ConfigOf, type processConfig, requireFreePorts, StartError } from '@tallyport/service-kit';
import { notedAddress } from './address-file.ts';
import type { AllInOneConfig } from './config.ts';
import { composedServices, runsAll } from './services.ts';

/** Refuses a second start in the same folder, and ports in use, before anything is set up. */
export async function checkStart(config: AllInOneConfig & ConfigOf<typeof processConfig>): Promise<void> {
  if (runsAll(config) && config.DATABASE_URL === undefined) await refuseSecond(config.DATA_DIR);
  const hasEdge = composedServices(config).includes('edge');
  await requireFreePorts([
    ...(hasEdge ? [{ setting: 'PORT', host: config.HOST, port: config.PORT }] : []),
    { setting: 'ADMIN_PORT', host: config.ADMIN_HOST, port: config.ADMIN_PORT },
  ]);
}

async function refuseSecond(directory: string): Promise<void> {
  const pid = await directoryHolder(directory);
  if (pid === undefined) return;
  const address = await notedAddress(pid, directory);
  throw new StartError(
    `Tallyport already runs here: process ${pid}${address === undefined ? '' : `, ${address}`}. Stop it, or set DATA_DIR, PORT and ADMIN_PORT to start another one.`,
  );
}
