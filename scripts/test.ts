import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSharedServers } from '../tests/support/servers.ts';
import { allChecks, runChecks } from './test/checks.ts';
import { createMemoryFolder } from './test/memory-folder.ts';
import { leftOut, sampleOfCommit } from './test/sample.ts';
import { lastLine, sum } from './test/tally.ts';
import type { Tally } from './test/tally.ts';
import { outOfTurn } from './test/turns.ts';
import { runVitest } from './test/vitest-tally.ts';

interface Run {
  vitestArgs: readonly string[];
  /** Large tests at their full scale, as in `npm run test:all`. */
  whole: boolean;
  signal: AbortSignal;
}

/** `npm test` runs all checks and tests. `npm test -- <vitest arguments>` runs only those tests. */
async function main(run: Run): Promise<void> {
  const { vitestArgs, signal } = run;
  const tallies: Tally[] = [];
  if (vitestArgs.length === 0) tallies.push(...(await runChecks(allChecks, signal)));
  if (!signal.aborted) tallies.push(...(await runTests(run)));
  for (const failure of tallies.flatMap(({ failures = [] }) => failures)) console.log(`\nFAILED ${failure}`);
  console.log(lastLine(tallies));
  process.exitCode = signal.aborted ? 130 : Number(sum(tallies).failed > 0);
}

/**
 * What `npm test` runs at the same time, each in a process of its own. Together they have more workers than CI has
 * processors, because tests wait half of their time: for processes, pages and timers.
 */
const everyTest = [
  { projects: ['system'], workers: 2 },
  { projects: ['servers', 'unit'], workers: 2 },
  { projects: ['documents', 'waiting'], workers: 1 },
];

async function runTests(run: Run): Promise<Tally[]> {
  const memory = process.env['TMPDIR'] === undefined ? await createMemoryFolder() : undefined;
  if (memory !== undefined) process.env['TMPDIR'] = memory;
  try {
    return await runWithSample(run);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return [{ name: 'servers', passed: 0, failed: 1 }];
  } finally {
    if (memory !== undefined) await rm(memory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function runWithSample({ vitestArgs, whole, signal }: Run): Promise<Tally[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tallyport-left-out-'));
  const sample = await sampleSettings(whole, join(folder, 'left-out'));
  const resting = whole || vitestArgs.length > 0 ? [] : outOfTurn(Number(sample.TEST_SAMPLE));
  const environment = { ...sample, TEST_LEFT_FILES: resting.join(',') };
  try {
    const tallies =
      vitestArgs.length > 0
        ? [await runVitest({ args: vitestArgs, environment, signal })]
        : await runEveryTest(environment, signal);
    await sayWhatIsLeftOut(sample, resting);
    return tallies;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runEveryTest(environment: Record<string, string>, signal: AbortSignal): Promise<Tally[]> {
  // The processes share one set of servers. A part of the tests starts those that it needs itself.
  const { environment: servers, stop: stopServers } = await startSharedServers();
  try {
    return await Promise.all(
      everyTest.map(({ projects, workers }) =>
        runVitest({
          args: projects.flatMap((name) => ['--project', name]),
          environment: { ...environment, ...servers, TEST_WORKERS: String(workers) },
          signal,
        }),
      ),
    );
  } finally {
    await stopServers();
  }
}

interface SampleSettings extends Record<string, string> {
  /** The number of the sample; set it to repeat a run of another commit. */
  TEST_SAMPLE: string;
  /** Where tests write what they leave out. */
  TEST_LEFT_OUT: string;
}

async function sampleSettings(whole: boolean, file: string): Promise<SampleSettings> {
  const TEST_SAMPLE = process.env['TEST_SAMPLE'] ?? String(await sampleOfCommit());
  return { TEST_SAMPLE, TEST_LEFT_OUT: file, ...(whole && { TEST_SCALE: 'whole' }) };
}

async function sayWhatIsLeftOut(
  { TEST_SAMPLE, TEST_LEFT_OUT }: SampleSettings,
  resting: readonly string[],
): Promise<void> {
  const kinds = [...(await leftOut(TEST_LEFT_OUT)), ...resting.map((file) => `${file}, until its turn`)];
  if (kinds.length === 0) return;
  console.log(`\nTEST_SAMPLE=${TEST_SAMPLE} left out (npm run test:all runs everything):`);
  for (const kind of kinds) console.log(`  ${kind}`);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
const args = process.argv.slice(2).filter((argument) => argument !== '--');
await main({
  vitestArgs: args.filter((argument) => argument !== '--whole'),
  whole: args.includes('--whole'),
  signal: stop.signal,
});
