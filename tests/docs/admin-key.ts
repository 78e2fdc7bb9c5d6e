import { neutralEnvironment } from '../../scripts/distributed/settings.ts';
import type { OneProcess } from '../gateway/one-process.ts';
import { runToEnd } from '../support/run-to-end.ts';

/** Creates an admin key for the running gateway with the command for operators. */
export async function createAdminKey({ directory }: OneProcess): Promise<string> {
  const output = await runToEnd(
    process.execPath,
    ['services/auth-svc/src/commands/key.ts', 'create', 'tests', '--admin'],
    {
      env: { ...neutralEnvironment(), DATA_DIR: directory },
    },
  );
  const [key] = /sk-tp-\w+/.exec(output) ?? [];
  if (key === undefined) throw new Error(`The output has no key:\n${output}`);
  return key;
}
