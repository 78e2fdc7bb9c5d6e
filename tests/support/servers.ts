import { canInstallPackages, installPackages } from './apt.ts';
import { startContainerServer } from './container-server.ts';
import { dockerAnswers } from './docker.ts';
import { nats } from './nats.ts';
import { postgres } from './postgres.ts';
import { startProcessServer } from './process-server.ts';
import { findPrograms } from './programs.ts';
import { redis } from './redis.ts';
import type { Recipe, StartOptions, TestServer } from './server.ts';
import { chooseSource } from './source.ts';
import type { Source } from './source.ts';
import { missingPackages } from './test-programs.ts';

export type { TestServer } from './server.ts';

/** A private nats-server with JetStream, which a test may kill and restart. */
export const startNats = (options?: StartOptions): Promise<TestServer> => startServer(nats, options);

/** A private Redis, which a test may kill and restart. */
export const startRedis = (options?: StartOptions): Promise<TestServer> => startServer(redis, options);

/** A private Postgres, which a test may kill and restart. Creating one takes about a second. */
export const startPostgres = (options?: StartOptions): Promise<TestServer> => startServer(postgres, options);

export interface SharedServers {
  /** TEST_NATS_URL, TEST_REDIS_URL and TEST_DATABASE_URL. */
  environment: Record<Recipe['variable'], string>;
  stop(): Promise<void>;
}

/**
 * Starts the three servers that all tests of a run share. A server from the environment is used and not stopped; each
 * test uses a separate database, key prefix and subjects.
 */
export async function startSharedServers(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SharedServers> {
  const recipes = [nats, redis, postgres];
  const missing = recipes.filter((recipe) => !environment[recipe.variable]);
  await installMissing(missing);
  const started = await Promise.allSettled(missing.map((recipe) => startServer(recipe)));
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  const failed = started.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const url = ({ variable }: Recipe) =>
    environment[variable] || (servers[missing.findIndex((recipe) => recipe.variable === variable)]?.url ?? '');
  return {
    environment: { TEST_NATS_URL: url(nats), TEST_REDIS_URL: url(redis), TEST_DATABASE_URL: url(postgres) },
    stop,
  };
}

async function startServer(recipe: Recipe, options?: StartOptions): Promise<TestServer> {
  if (!options?.args && (await findSource(recipe)) === 'container') {
    try {
      return await startContainerServer(recipe, options);
    } catch (error) {
      process.stderr.write(`Docker is running but cannot run ${recipe.container.image}: ${String(error)}\n`);
    }
  }
  return startProcessServer(recipe, await programsOf(recipe), options);
}

/** The paths of the programs of a server that a test runs as a process of its own. */
export async function programsOf(recipe: Recipe): Promise<readonly string[]> {
  const programs = await findPrograms(recipe.programs);
  if (programs) return programs;
  throw new Error(`${whatToInstall([recipe])} On Debian, as root, \`npm test\` installs what is missing.`);
}

/** Installs every program that tests start, all at once: apt-get cannot run twice at a time. Nothing is installed in a test. */
export async function installTestPrograms(): Promise<void> {
  if (!(await canInstallPackages())) return;
  const servers = await Promise.all(
    [nats, redis, postgres].map(async ({ programs, aptPackage }) =>
      (await findPrograms(programs)) === undefined ? [aptPackage] : [],
    ),
  );
  const packages = [...servers.flat(), ...(await missingPackages())];
  if (packages.length > 0) await installPackages(packages);
}

/** Installs all missing servers at once, because one error should list all of them. */
async function installMissing(recipes: readonly Recipe[]): Promise<void> {
  const sources = await Promise.all(recipes.map(findSource));
  const without = recipes.filter((_, index) => sources[index] === 'nothing');
  if (without.length > 0) throw new Error(whatToInstall(without));
  const packages = recipes.filter((_, index) => sources[index] === 'package').map((recipe) => recipe.aptPackage);
  if (packages.length > 0) await installPackages(packages);
}

async function findSource(recipe: Recipe): Promise<Source> {
  const [docker, programs, packages] = await Promise.all([
    dockerAnswers(),
    findPrograms(recipe.programs),
    canInstallPackages(),
  ]);
  return chooseSource({ docker, programs: programs !== undefined, packages });
}

function whatToInstall(recipes: readonly Recipe[]): string {
  const programs = recipes.map((recipe) => recipe.programs[0]).join(', ');
  const variables = recipes.map((recipe) => recipe.variable).join(', ');
  return `The tests need real servers: start Docker, install ${programs}, or set ${variables} to running servers.`;
}
