import { rm } from 'node:fs/promises';
import process from 'node:process';
import { installHelm } from '../tests/support/helm.ts';
import { wholeScale } from '../tests/support/scale.ts';
import { installTestPrograms, startSharedServers } from '../tests/support/servers.ts';
import { allChecks, runChecks } from './test/checks.ts';
import { readLastLongRun, recordLongRun } from './test/long-run.ts';
import { createMemoryFolder } from './test/memory-folder.ts';
import { createProgress, type Progress } from './test/progress.ts';
import { isLong, longTests, reachedTests, scaledTests } from './test/reach.ts';
import { lastLine, sum, type Tally } from './test/tally.ts';
import { runVitest } from './test/vitest-tally.ts';

const usage = `npm test                       all checks, and all tests but the long ones
npm test -- packages/bus       the tests of a folder or file (and other arguments of Vitest)
npm test -- --changed [main]   the tests that a change reaches: since the last commit, or since this one
npm run test:long              the long tests, and the others that have a scale, at the whole scale
npm run test:long -- --changed those that the changes since their last whole run reach
npm run test:ci                \`npm test\`, then \`npm run test:long -- --changed\``;

/** What of the tests runs. */
type Selection = 'all' | 'changed' | 'long' | 'long changed' | 'ci' | 'named';

interface Run {
  selection: Selection;
  /** The commit from which changes count; arguments of Vitest if the tests are named. */
  given: readonly string[];
  signal: AbortSignal;
}

async function main(run: Run): Promise<void> {
  const tallies = await inMemoryFolder(() => runSelected(run)).catch((error: unknown): Tally[] => [
    { name: 'start', passed: 0, failed: 1, failures: [error instanceof Error ? error.message : String(error)] },
  ]);
  for (const failure of tallies.flatMap(({ failures = [] }) => failures)) console.log(`\nFAILED ${failure}`);
  if (run.selection === 'long' && !run.signal.aborted) await recordLongRun(sum(tallies), performance.now());
  console.log(lastLine(tallies));
  process.exitCode = run.signal.aborted ? 130 : Number(sum(tallies).failed > 0);
}

async function inMemoryFolder<Result>(work: () => Promise<Result>): Promise<Result> {
  const folder = process.env['TMPDIR'] === undefined ? await createMemoryFolder() : undefined;
  if (folder !== undefined) process.env['TMPDIR'] = folder;
  try {
    return await work();
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function runSelected({ selection, given, signal }: Run): Promise<Tally[]> {
  // Nothing is installed in a test: it would take the time of the test, and no test knows how long that is.
  await installTestPrograms();
  await installHelm();
  switch (selection) {
    case 'all':
      return runEverything(signal);
    case 'ci': {
      const tallies = await runEverything(signal);
      return [...tallies, ...(await runLong(await reachedLongTests(), { signal }))];
    }
    case 'long':
      return runLong([...longTests(), ...scaledTests()], { environment: wholeScale, signal });
    case 'long changed':
      return runLong(await reachedLongTests(), { signal });
    case 'changed': {
      const files = (await reachedTests(given[0] ?? 'HEAD')).filter((file) => !isLong(file));
      console.log(`The change reaches ${files.length} files of tests.`);
      return files.length === 0 ? [] : [await runVitest({ args: files, signal })];
    }
    case 'named':
      return [await runVitest({ args: given.some(isLong) ? given : ['--project', '!long', ...given], signal })];
    default:
      return selection satisfies never;
  }
}

/**
 * What runs at the same time, each in a process of its own. Together they have more workers than CI has processors, because
 * tests wait half of their time: for processes, pages and timers.
 */
const everyPart = [
  { name: 'system', projects: ['system'], workers: 2 },
  { name: 'parts', projects: ['servers', 'unit'], workers: 3 },
];

async function runEverything(signal: AbortSignal): Promise<Tally[]> {
  const checks = await runChecks(allChecks, signal);
  if (signal.aborted) return checks;
  return [
    ...checks,
    ...(await withProgress(async (progress) => {
      // The parts share one set of servers.
      const servers = await startSharedServers();
      try {
        return await Promise.all(
          everyPart.map(({ name, projects, workers }) =>
            runVitest({
              args: projects.flatMap((project) => ['--project', project]),
              environment: { ...servers.environment, TEST_WORKERS: String(workers) },
              onEvent: progress.part(name),
              signal,
            }),
          ),
        );
      } finally {
        await servers.stop();
      }
    })),
  ];
}

interface LongRunOptions {
  environment?: Record<string, string>;
  signal: AbortSignal;
}

async function runLong(files: readonly string[], options: LongRunOptions): Promise<Tally[]> {
  if (files.length === 0 || options.signal.aborted) return [];
  return withProgress(async (progress) => [
    await runVitest({ args: files, onEvent: progress.part('long'), ...options }),
  ]);
}

/** The long tests that the changes since their last whole run reach. */
async function reachedLongTests(): Promise<string[]> {
  const { commit } = await readLastLongRun();
  const files = (await reachedTests(commit)).filter(isLong);
  console.log(`Changes since ${commit} reach ${files.length} of ${longTests().length} long tests.`);
  return files;
}

const lineEveryMs = 15_000;

async function withProgress(work: (progress: Progress) => Promise<Tally[]>): Promise<Tally[]> {
  const startedAt = performance.now();
  const progress = createProgress(() => performance.now() - startedAt);
  const timer = setInterval(() => console.log(progress.line()), lineEveryMs);
  try {
    return await work(progress);
  } finally {
    clearInterval(timer);
    console.log(`${progress.line()}\nThe slowest:\n${progress.slowest(5).join('\n')}`);
  }
}

function readSelection(): Pick<Run, 'selection' | 'given'> {
  const args = process.argv.slice(2).filter((argument) => argument !== '--');
  const [first = '', ...others] = args;
  if (first === '--help') return usageAndExit();
  if (first === '--ci') return { selection: 'ci', given: [] };
  if (first === '--long') return { selection: others[0] === '--changed' ? 'long changed' : 'long', given: [] };
  if (first === '--changed') return { selection: 'changed', given: others };
  return { selection: args.length > 0 ? 'named' : 'all', given: args };
}

function usageAndExit(): never {
  console.log(usage);
  process.exit(0);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
await main({ ...readSelection(), signal: stop.signal });
