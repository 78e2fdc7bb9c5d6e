import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { homeOf, type Source } from '../../tests/structure/sources.ts';
import { runNode } from '../test/run-program.ts';
import { type Mutation, mutated } from './find-mutations.ts';

/** A mutant whose loop never ends is found as well. */
const longestMs = 300_000;

const loadMutant = new URL('./load-mutant.mjs', import.meta.url).href;

interface MutantRun {
  source: Source;
  mutation: Mutation;
  environment: Record<string, string>;
  signal: AbortSignal;
}

/** Whether a test of the package or service fails with this mutation. Those of the file's folder run first. */
export async function isFound({ source, mutation, environment, signal }: MutantRun): Promise<boolean> {
  const url = pathToFileURL(source.path).href;
  const mutant = {
    ...environment,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${loadMutant}`,
    MUTANT: JSON.stringify({ url, source: mutated(source.text, mutation) }),
  };
  for (const folder of [posix.dirname(source.path), homeOf(source.path)]) {
    const { code } = await runTests({ folder, environment: mutant, signal });
    if (code === 0) continue;
    // An ended run says nothing about the mutation.
    signal.throwIfAborted();
    return true;
  }
  return false;
}

interface FolderRun {
  /** From the repository's root. Files beside it whose path begins the same run as well. */
  folder: string;
  environment: Record<string, string>;
  signal: AbortSignal;
}

/** Runs the tests of a folder until one fails. Those that need servers use the ones of the environment. */
export function runTests({ folder, environment, signal }: FolderRun): ReturnType<typeof runNode> {
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', '--passWithNoTests', `${folder}/`];
  const limited = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  return runNode(command, { output: 'kept', environment, signal: limited });
}
