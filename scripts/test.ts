import { startSharedServers } from '../tests/support/servers.ts';
import { runChecks } from './test/checks.ts';
import { lastLine, sum } from './test/tally.ts';
import type { Tally } from './test/tally.ts';
import { runVitest } from './test/vitest-tally.ts';

/** `npm test`: everything. `npm test -- <vitest arguments>`: only those tests, without the checks. */
async function main(args: readonly string[], signal: AbortSignal): Promise<void> {
  const tallies: Tally[] = [];
  if (args.length === 0) tallies.push(...(await runChecks(signal)));
  if (!signal.aborted) tallies.push(await runTests(args, signal));
  console.log(lastLine(tallies));
  process.exitCode = signal.aborted ? 130 : Number(sum(tallies).failed > 0);
}

async function runTests(args: readonly string[], signal: AbortSignal): Promise<Tally> {
  try {
    const servers = await startSharedServers();
    try {
      const chosen = args.length > 0 ? args : ['--project', 'unit', '--project', 'system'];
      return await runVitest({ args: chosen, environment: servers.environment, signal });
    } finally {
      await servers.stop();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { name: 'servers', passed: 0, failed: 1 };
  }
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
await main(
  process.argv.slice(2).filter((argument) => argument !== '--'),
  stop.signal,
);
