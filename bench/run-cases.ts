import type { Case, CaseResult } from './cases/case.ts';
import type { Laboratory } from './laboratory.ts';
import { openLaboratory } from './laboratory.ts';
import type { Options } from './options.ts';
import type { Outcome } from './report.ts';
import type { Undo } from './support/undo.ts';

interface Interruptible {
  undo: Undo;
  /** Aborts when the run is to end; then nothing more is started. */
  signal: AbortSignal;
}

/** One case after the other; a case that fails costs its own figures only. */
export async function runCases(options: Options, { undo, signal }: Interruptible): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let laboratory: Laboratory | undefined;
  for (const benchCase of inOrder(options.cases)) {
    signal.throwIfAborted();
    const began = performance.now();
    if (laboratory && benchCase.fresh && !options.quick) laboratory = await close(laboratory);
    laboratory ??= await openLaboratory(options, undo);
    const outcome = await runCase(benchCase, laboratory, options);
    signal.throwIfAborted();
    outcomes.push(outcome);
    console.error(`${benchCase.id}  ${benchCase.title}: ${((performance.now() - began) / 1e3).toFixed(1)} s`);
    for (const problem of outcome.problems) console.error(`   ${problem}`);
    if (!outcome.result) laboratory = await close(laboratory);
  }
  await laboratory?.stop();
  return outcomes.sort((a, b) => a.id.localeCompare(b.id));
}

/** Cases that need fresh systems come first, so that they are started as seldom as can be. */
function inOrder(cases: readonly Case[]): Case[] {
  return [...cases].sort((a, b) => Number(b.fresh ?? false) - Number(a.fresh ?? false));
}

async function close(laboratory: Laboratory): Promise<undefined> {
  await laboratory.stop();
}

async function runCase(benchCase: Case, laboratory: Laboratory, options: Options): Promise<Outcome> {
  const { id, title } = benchCase;
  const problems: string[] = [];
  const othersCores: number[] = [];
  try {
    const run = benchCase.run({
      ...laboratory,
      quick: options.quick,
      problem: (system, text) => problems.push(`${system.name}: ${text}`),
      others: (cores) => othersCores.push(cores),
    });
    return { id, title, result: await within(run, benchCase.limitMs), problems, othersCores };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { id, title, problems: [...problems, reason], othersCores };
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
