import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { serviceFlags } from '../launch/node-flags.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tether = join(root, 'scripts/launch/tether.mjs');

interface ProcessOptions {
  /** Label of this replica in output and errors: `chat-svc`, `chat-svc-2`. */
  name: string;
  /** A path, from the repository's root if it is relative. */
  main: string;
  args?: readonly string[];
  nodeArgs?: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  /** The working directory, where a `.env` is read. */
  directory: string;
  onLine(line: string): void;
  /** Called when the process exits without a call of `end`. */
  onDeath(how: string): void;
}

/** A program of this repository as a process that can be stopped and restarted with the same settings. */
export interface ServiceProcess {
  readonly name: string;
  readonly pid: number | undefined;
  /** How the process ended; undefined while it runs. */
  readonly ended: string | undefined;
  /** The last lines of its output. */
  lastLines(): string;
  /** Sends `signal` and waits for the exit; sends SIGKILL after `deadlineMs`. */
  end(signal: NodeJS.Signals, deadlineMs: number): Promise<void>;
  /** Starts the process again after it ended; does nothing while it runs. */
  start(): void;
}

const keptLines = 20;

export function startProcess(given: ProcessOptions): ServiceProcess {
  const lines: string[] = [];
  const options = {
    ...given,
    onLine: (line: string) => {
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      given.onLine(line);
    },
  };
  let child = run(options);
  let expected = false;
  watch();

  function watch(): void {
    child.once('error', (error) => options.onLine(`cannot be started: ${error.message}`));
    child.once('exit', () => {
      if (!expected) options.onDeath(howEnded(child) ?? 'ended');
    });
  }

  return {
    name: options.name,
    get pid() {
      return child.pid;
    },
    get ended() {
      return howEnded(child);
    },
    lastLines: () => lines.join('\n'),
    async end(signal, deadlineMs) {
      if (howEnded(child)) return;
      expected = true;
      const force = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
      await new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill(signal);
      });
      clearTimeout(force);
    },
    start() {
      if (!howEnded(child)) return;
      expected = false;
      child = run(options);
      watch();
    },
  };
}

function run({ main, args = [], nodeArgs = [], environment, directory, onLine }: ProcessOptions): ChildProcess {
  const flags = ['--disable-warning=ExperimentalWarning', ...serviceFlags, '--import', tether, ...nodeArgs];
  const child = spawn(process.execPath, [...flags, resolve(root, main), ...args], {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
  return child;
}

function howEnded(child: ChildProcess): string | undefined {
  if (child.signalCode !== null) return `was ended by ${child.signalCode}`;
  if (child.exitCode !== null) return `ended with exit code ${child.exitCode}`;
  return child.pid === undefined ? 'could not be started' : undefined;
}
