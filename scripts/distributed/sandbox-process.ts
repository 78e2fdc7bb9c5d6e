import { tmpdir } from 'node:os';
import { startProcess } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';
import { neutralEnvironment } from './settings.ts';

interface SandboxOptions {
  sandboxArgs?: readonly string[];
  onLine?(name: string, line: string): void;
  onDeath?(name: string, how: string): void;
}

const startMs = 20_000;
const name = 'sandbox';

/** Starts the simulated providers. They print their URL as the first line. */
export function startSandboxProcess(options: SandboxOptions): Promise<{ url: string; process: ServiceProcess }> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => fail('did not print its URL'), startMs);
    const fail = (how: string) => {
      clearTimeout(deadline);
      reject(new Error(`The sandbox ${how}.\n${running.lastLines()}`));
      void running.end('SIGKILL', 0);
    };
    const running = startProcess({
      name,
      main: 'packages/sandbox/src/main.ts',
      args: options.sandboxArgs,
      environment: neutralEnvironment(),
      directory: tmpdir(),
      onLine: (line) => {
        const url = urlOf(line);
        if (!url) return options.onLine?.(name, line);
        clearTimeout(deadline);
        resolve({ url, process: running });
      },
      onDeath: (how) => {
        options.onDeath?.(name, how);
        fail(how);
      },
    });
  });
}

function urlOf(line: string): string | undefined {
  return /^\{"url":"([^"]+)"\}$/.exec(line)?.[1];
}
