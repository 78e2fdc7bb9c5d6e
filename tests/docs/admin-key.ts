import type { OneProcess } from '../gateway/one-process.ts';
import { runToEnd } from '../support/run-to-end.ts';

/** A key of the running gateway that may manage it, made as operators make one. */
export async function createAdminKey({ directory }: OneProcess): Promise<string> {
  const said = await runToEnd(
    process.execPath,
    ['services/auth-svc/src/commands/key.ts', 'create', 'tests', '--admin'],
    {
      env: { PATH: process.env.PATH, DATA_DIR: directory },
    },
  );
  const [key] = /sk-sy-\w+/.exec(said) ?? [];
  if (key === undefined) throw new Error(`No key was shown:\n${said}`);
  return key;
}
