import { fileURLToPath } from 'node:url';
import { describeMachine } from './measure/machine.ts';
import { parseOptions, usage } from './options.ts';
import type { Options } from './options.ts';
import { renderMachine, renderNoise, renderTable, writeReport } from './report.ts';
import type { Report } from './report.ts';
import { runCases } from './run-cases.ts';
import { createUndo } from './support/undo.ts';

const results = fileURLToPath(new URL('./results', import.meta.url));
const undo = createUndo();
const interrupt = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    interrupt.abort();
    void undo.all().finally(() => process.exit(130));
  });
}

const options = readOptions();
if (options) {
  try {
    const { report, path } = await run(options);
    console.log(`\n${renderTable(report.outcomes)}\n\n${renderMachine(report)} ${renderNoise(report.outcomes)}`);
    console.log(`\nAll measurements: ${path}`);
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await undo.all();
  }
}

function readOptions(): Options | undefined {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exitCode = 1;
    return undefined;
  }
}

/** The report is written after each case. An interrupted run loses only its last case. */
async function run(chosen: Options): Promise<{ report: Report; path: string }> {
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const reportOf = (outcomes: Report['outcomes']): Report => {
    const seconds = (performance.now() - began) / 1e3;
    return { startedAt, seconds, quick: chosen.quick, machine: describeMachine(), outcomes };
  };
  const keep = (outcomes: Report['outcomes']): Promise<string> => writeReport(reportOf(outcomes), results);
  const report = reportOf(await runCases(chosen, { undo, signal: interrupt.signal, keep }));
  return { report, path: await writeReport(report, results) };
}
