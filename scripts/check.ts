import { quickChecks, runChecks } from './test/checks.ts';
import { sum } from './test/tally.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

process.exitCode = Number(sum(await runChecks(quickChecks, stop.signal)).failed > 0);
