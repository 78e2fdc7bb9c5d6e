import { startSharedServers } from './servers.ts';

/** Sets TEST_*_URL for all tests: from `npm test`, from the environment, or by starting the servers for this run. */
export default async function setup(): Promise<() => Promise<void>> {
  const servers = await startSharedServers();
  Object.assign(process.env, servers.environment);
  return servers.stop;
}
