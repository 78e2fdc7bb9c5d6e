import { applyUsage, readOptions } from './options.ts';
import { runApply, type Surroundings } from './run-apply.ts';

/** `npm run apply -- gateway.yaml [--plan] [--prune] …`: returns the exit code. */
export async function applyCommand(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const options = readOptions(words, surroundings.environment);
  if (typeof options !== 'string') return runApply(options, surroundings);
  surroundings.problem(`${options}\n\n${applyUsage}`);
  return 1;
}
