import { setTimeout as pause } from 'node:timers/promises';
import type { Case, CaseResult } from './cases/case.ts';
import type { TestBed } from './test-bed.ts';
import { openTestBed } from './test-bed.ts';
import type { Options } from './options.ts';
import { describeProblem } from './report.ts';
import type { Outcome, Problem } from './report.ts';
import type { Undo } from './support/undo.ts';

/** Requests whose clients have left reach the upstream in this time, before it answers them as the next case needs. */
const leftRequestsMs = 500;

interface RunTools {
  undo: Undo;
  /** Aborts the run: no further case is started. */
  signal: AbortSignal;
  /** Keeps the outcomes so far. */
  keep(outcomes: readonly Outcome[]): Promise<unknown>;
}

/** Runs the cases one after the other. A failed case loses only its own figures. */
export async function runCases(options: Options, { undo, signal, keep }: RunTools): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let testBed: TestBed | undefined;
  for (const benchCase of inOrder(options.cases)) {
    signal.throwIfAborted();
    const began = performance.now();
    if (testBed && benchCase.fresh && !options.quick) testBed = await close(testBed);
    testBed ??= await openTestBed(options, undo);
    await pause(leftRequestsMs);
    const outcome = await runCase(benchCase, testBed, options);
    signal.throwIfAborted();
    outcomes.push(outcome);
    await keep(outcomes);
    console.error(`${benchCase.id}  ${benchCase.title}: ${((performance.now() - began) / 1e3).toFixed(1)} s`);
    for (const problem of outcome.problems) console.error(`   ${describeProblem(problem)}`);
    if (!outcome.result) testBed = await close(testBed);
  }
  await testBed?.stop();
  return outcomes.sort((a, b) => a.id.localeCompare(b.id));
}

/** Puts cases that need fresh systems first, which saves restarts. */
function inOrder(cases: readonly Case[]): Case[] {
  return [...cases].sort((a, b) => Number(b.fresh ?? false) - Number(a.fresh ?? false));
}

async function close(testBed: TestBed): Promise<undefined> {
  await testBed.stop();
}

async function runCase(benchCase: Case, testBed: TestBed, options: Options): Promise<Outcome> {
  const { id, title } = benchCase;
  const problems: Problem[] = [];
  const othersCores: number[] = [];
  try {
    const run = benchCase.run({
      ...testBed,
      quick: options.quick,
      problem: (system, text) => problems.push({ system: system.name, text }),
      others: (cores) => othersCores.push(cores),
    });
    return { id, title, result: await within(run, benchCase.limitMs), problems, othersCores };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { id, title, problems: [...problems, { text: reason }], othersCores };
  }
}

async function within(run: Promise<CaseResult>, limitMs: number): Promise<CaseResult> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`took longer than ${limitMs / 1e3} s`)), limitMs);
  try {
    return await Promise.race([run, promise]);
  } finally {
    clearTimeout(timer);
  }
}
