import { startSharedServers } from '../tests/support/servers.ts';
import { runChecks } from './test/checks.ts';
import { lastLine, sum } from './test/tally.ts';
import type { Tally } from './test/tally.ts';
import { runVitest } from './test/vitest-tally.ts';

/** `npm test` runs all checks and tests. `npm test -- <vitest arguments>` runs only those tests. */
async function main(args: readonly string[], signal: AbortSignal): Promise<void> {
  const tallies: Tally[] = [];
  if (args.length === 0) tallies.push(...(await runChecks(signal)));
  if (!signal.aborted) tallies.push(...(await runTests(args, signal)));
  for (const failure of tallies.flatMap(({ failures = [] }) => failures)) console.log(`\nFAILED ${failure}`);
  console.log(lastLine(tallies));
  process.exitCode = signal.aborted ? 130 : Number(sum(tallies).failed > 0);
}

/** What `npm test` runs, each in a process of its own: the second waits more than it works. */
const everyTest = [
  ['--project', 'unit', '--project', 'system'],
  ['--project', 'waiting'],
];

async function runTests(args: readonly string[], signal: AbortSignal): Promise<Tally[]> {
  try {
    const { environment, stop: stopServers } = await startSharedServers();
    try {
      const runs = args.length > 0 ? [args] : everyTest;
      return await Promise.all(runs.map((vitestArgs) => runVitest({ args: vitestArgs, environment, signal })));
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
await main(
  process.argv.slice(2).filter((argument) => argument !== '--'),
  stop.signal,
);
