import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitUntil } from './probe.ts';
import type { ProgramRecipe, StartOptions, TestServer } from './server.ts';
import { unprivilegedUser } from './unprivileged-user.ts';

const keptCharacters = 4_000;

/** Runs a server program on a loopback port with an empty directory. */
export async function startProcessServer(
  recipe: ProgramRecipe,
  programs: readonly string[],
  options: StartOptions = {},
): Promise<TestServer> {
  const port = options.port ?? (await freePort());
  const directory = await mkdtemp(join(tmpdir(), `tallyport-${recipe.name}-`));
  let child: ChildProcess | undefined;

  // Ends the server with this process, also when the test runner crashes.
  const onExit = () => {
    child?.kill(recipe.stopSignal);
    rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', onExit);

  const start = async () => {
    child = await launch(recipe, [...recipe.command(programs, { port, directory }), ...(options.args ?? [])], port);
  };
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    if (child) await end(child, signal);
  };
  const stop = async () => {
    await kill(recipe.stopSignal);
    process.removeListener('exit', onExit);
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };

  try {
    await recipe.prepare?.(programs, directory);
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: recipe.url('127.0.0.1', port),
    get pid() {
      return child?.pid;
    },
    kill,
    restart: async () => {
      await kill('SIGTERM');
      await start();
    },
    stop,
  };
}

/**
 * Retries if the program ends at once: after a SIGKILL, helpers of the previous process may hold the data for a moment.
 */
async function launch(recipe: ProgramRecipe, command: readonly string[], port: number): Promise<ChildProcess> {
  const [program = recipe.name, ...args] = command;
  const user = recipe.unprivileged ? await unprivilegedUser() : undefined;
  let output = '';
  const run = () => {
    const started = spawn(program, args, { ...user, stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' });
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-keptCharacters);
    };
    started.on('error', keep);
    started.stdout.on('data', keep);
    started.stderr.on('data', keep);
    return started;
  };
  let child = run();
  try {
    await waitUntil(
      `${recipe.name} to answer on port ${port}`,
      async () => {
        if (!hasEnded(child)) return recipe.answers('127.0.0.1', port);
        child = run();
        return false;
      },
      { everyMs: 25 },
    );
  } catch (error) {
    await end(child, 'SIGKILL');
    throw new Error(`${recipe.name} did not start. Output:\n${output}`, { cause: error });
  }
  return child;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill(signal);
  });
  clearTimeout(force);
}
