import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparedDirectory } from '../../packages/database/src/testing/index.ts';
import { chatProviders } from '../../packages/providers/src/index.ts';
import { oneProcessEnvironment, serviceFlags } from '../../scripts/launch/node-flags.mjs';

export interface OneProcess {
  child: ChildProcess;
  baseUrl: string;
  adminUrl: string;
  apiKey: string;
  sandboxUrl: string;
  directory: string;
  /** The output so far. */
  output(): string;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts the program of `npm start` on free ports. Without `DATA_DIR`, its data directory is a copy of an embedded
 * database without data, because creating one takes longer than the start.
 */
export async function startOneProcess(environment: Record<string, string> = {}): Promise<OneProcess> {
  const directory = environment.DATA_DIR ?? (await newDirectory(environment.DATABASE_URL));
  const child = spawn(process.execPath, [...serviceFlags, 'services/all-in-one/src/main.ts'], {
    env: {
      ...oneProcessEnvironment,
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      ADMIN_PORT: '0',
      SANDBOX_PORT: '0',
      DATA_DIR: directory,
      // One request in a hundred would try another offer than the test expects.
      ROUTING_EXPLORATION: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const url = (pattern: RegExp): string => pattern.exec(output)?.[1] ?? '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => {
      // The welcome text may arrive in a later read. Its last line is the one about the docs.
      const isWelcome = output.includes('"message":"ready"') && /^ +Docs .*\n/m.test(output);
      // Then nothing else is sent to a vendor unasked.
      if (isWelcome && (!hasKey(environment) || output.includes('"message":"provider keys tested'))) resolve();
    });
    child.once('exit', (code) => reject(new Error(`It ended with ${code} before it was ready:\n${output}`)));
  });
  return {
    child,
    directory,
    baseUrl: url(/  URL +(\S+)/),
    apiKey: url(/API key +(\S+)/),
    adminUrl: url(/"admin":"(\S+?)"/),
    sandboxUrl: url(/POST (\S+)\/control/),
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const [code] = child.exitCode === null ? ((await once(child, 'exit')) as [number | null]) : [child.exitCode];
      if (!environment.DATA_DIR) await rm(directory, { recursive: true, force: true });
      return code;
    },
  };
}

const hasKey = (environment: Record<string, string>): boolean =>
  chatProviders.some(({ keyVariable }) => environment[`${keyVariable}_API_KEY`] !== undefined);

const newDirectory = (databaseUrl: string | undefined): Promise<string> =>
  databaseUrl === undefined ? preparedDirectory() : mkdtemp(join(tmpdir(), 'tallyport-data-'));
