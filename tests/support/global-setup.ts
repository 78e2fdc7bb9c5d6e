import { startSharedServers } from './servers.ts';

/** Tests always find TEST_*_URL: from `npm test`, from the person who runs vitest by hand, or started here for this run. */
export default async function setup(): Promise<() => Promise<void>> {
  const servers = await startSharedServers();
  Object.assign(process.env, servers.environment);
  return servers.stop;
}
