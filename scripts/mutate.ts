import { parseArgs } from 'node:util';
import { seededRandom } from '../packages/dispatch/src/testing/seeded-random.ts';
import { impureModules } from '../tests/structure/imports.ts';
import { homeOf, importsOf, productionSources, type Source } from '../tests/structure/sources.ts';
import { startSharedServers } from '../tests/support/servers.ts';
import { findMutations, type Mutation } from './mutate/find-mutations.ts';
import { isFound, runTests } from './mutate/mutant-run.ts';

/**
 * `npm run mutate -- 60 [--seed 7] [--only packages/pricing]`: breaks random places of pure code, one at a time, and lists
 * those that the tests of their package do not notice. Fails if these are too many.
 */
const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, only: { type: 'string', default: '' } },
  allowPositionals: true,
});
const count = Number(positionals[0] ?? 60);
const seed = Number(values.seed ?? Date.now() % 100_000);

/** The share of the mutations that tests must notice. */
const leastFound = 0.9;

/** Mutants that are tested at the same time. */
const atOnce = 2;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const sources = new Map(
  productionSources()
    .filter((source) => source.path.startsWith(values.only) && isPure(source))
    .map((source) => [source.path, source]),
);
const chosen = sample([...sources.values()].flatMap(findMutations));
const servers = await startSharedServers();
try {
  await requireGreen([...new Set(chosen.map(({ path }) => homeOf(path)))]);
  const survivors = await survivorsOf(chosen);
  console.log(`seed ${seed}: tests found ${chosen.length - survivors.length} of ${chosen.length} mutations`);
  for (const mutation of survivors.toSorted((a, b) => a.path.localeCompare(b.path))) console.log(describe(mutation));
  process.exitCode = Number(survivors.length > (1 - leastFound) * chosen.length);
} finally {
  await servers.stop();
}

/** Code that waits for nothing and uses no file, socket or process. */
function isPure(source: Source): boolean {
  return !/\b(async|await)\b/.test(source.text) && !importsOf(source).some((name) => impureModules.test(name));
}

function sample(mutations: Mutation[]): Mutation[] {
  const random = seededRandom(seed);
  return Array.from({ length: Math.min(count, mutations.length) }, () => {
    const [mutation] = mutations.splice(Math.floor(random() * mutations.length), 1);
    return mutation as Mutation;
  });
}

/** Tests that fail anyway would find every mutation. */
async function requireGreen(homes: readonly string[]): Promise<void> {
  for (const folder of homes) {
    const { code, output } = await runTests({ folder, environment: servers.environment, signal: stop.signal });
    if (code === 0) continue;
    stop.signal.throwIfAborted();
    throw new Error(`The tests of ${folder} fail without a mutation:\n${output}`);
  }
}

async function survivorsOf(mutations: readonly Mutation[]): Promise<Mutation[]> {
  const waiting = [...mutations];
  const survivors: Mutation[] = [];
  const work = async () => {
    for (let mutation = waiting.pop(); mutation !== undefined; mutation = waiting.pop()) {
      const source = sources.get(mutation.path) as Source;
      const found = await isFound({ source, mutation, environment: servers.environment, signal: stop.signal });
      if (!found) survivors.push(mutation);
      console.log(`${found ? 'found   ' : 'SURVIVED'} ${describe(mutation)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return survivors;
}

function describe({ path, line, start, end, text }: Mutation): string {
  const source = sources.get(path)?.text ?? '';
  const code = source.split('\n')[line - 1]?.trim();
  return `${path}:${line}  ${source.slice(start, end)} → ${text || 'nothing'}  in  ${code}`;
}
