import { startSharedServers } from '../tests/support/servers.ts';
import { runChecks } from './test/checks.ts';
import { lastLine, sum } from './test/tally.ts';
import type { Tally } from './test/tally.ts';
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
  if (vitestArgs.length === 0) tallies.push(...(await runChecks(signal)));
  if (!signal.aborted) tallies.push(...(await runTests(run)));
  for (const failure of tallies.flatMap(({ failures = [] }) => failures)) console.log(`\nFAILED ${failure}`);
  console.log(lastLine(tallies));
  process.exitCode = signal.aborted ? 130 : Number(sum(tallies).failed > 0);
}

/** What `npm test` runs, each in a process of its own: the second waits more than it works. */
const everyTest = [
  ['--project', 'unit', '--project', 'system'],
  ['--project', 'waiting'],
];

async function runTests({ vitestArgs, whole, signal }: Run): Promise<Tally[]> {
  try {
    const { environment: servers, stop: stopServers } = await startSharedServers();
    const environment = { ...servers, ...(whole && { TEST_SCALE: 'whole' }) };
    try {
      const runs = vitestArgs.length > 0 ? [vitestArgs] : everyTest;
      return await Promise.all(runs.map((args) => runVitest({ args, environment, signal })));
    } finally {
      await stopServers();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return [{ name: 'servers', passed: 0, failed: 1 }];
  }
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
const args = process.argv.slice(2).filter((argument) => argument !== '--');
await main({
  vitestArgs: args.filter((argument) => argument !== '--whole'),
  whole: args.includes('--whole'),
  signal: stop.signal,
});
