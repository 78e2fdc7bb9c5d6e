import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AgentStart } from './agent.ts';
import { workspaceOf, writeFiles } from './home.ts';

interface AgentRun {
  /** `null` if it was ended by a signal, for example at the deadline. */
  exitCode: number | null;
  /** The end of its output. */
  output: string;
}

interface AgentOrder {
  /** Path of the installed program. */
  program: string;
  start: AgentStart;
  home: string;
  /** The files of the working folder, by name. */
  files: Readonly<Record<string, string>>;
  deadlineMs: number;
}

const keptCharacters = 20_000;

/** Runs an agent once in its home folder, without a terminal and without internet access. */
export async function runAgent({ program, start, home, files, deadlineMs }: AgentOrder): Promise<AgentRun> {
  const { files: settings = {}, environment = {}, args } = start;
  const workspace = workspaceOf(home);
  await writeFiles(home, settings);
  await writeFiles(workspace, files);
  const child = spawn(program, args, {
    cwd: workspace,
    env: { ...shutOff, PATH: process.env.PATH, HOME: home, TMPDIR: home, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const timer = setTimeout(() => endGroup(child.pid), deadlineMs);
  let output = '';
  const keep = (data: Buffer) => (output = (output + data.toString()).slice(-keptCharacters));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  try {
    await once(child, 'close');
  } finally {
    clearTimeout(timer);
    endGroup(child.pid);
  }
  return { exitCode: child.exitCode, output };
}

/** Nothing listens on the discard port, so every request of an agent to the internet fails at once. */
const unusedPort = 'http://127.0.0.1:9';
export const shutOff = { HTTP_PROXY: unusedPort, HTTPS_PROXY: unusedPort, NO_PROXY: '127.0.0.1,localhost' };

/** Kills the agent and the processes it started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
