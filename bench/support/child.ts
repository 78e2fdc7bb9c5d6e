import { fork } from 'node:child_process';
import type { ChildProcess, Serializable } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Child {
  pid: number;
  send(message: Serializable): void;
  /**
   * Resolves with the next message for which `accept` returns a value. Rejects if the process ends first, or at the
   * deadline.
   */
  receive<Message>(accept: (message: unknown) => Message | undefined, deadlineMs: number): Promise<Message>;
  stop(): Promise<void>;
}

interface ChildOptions {
  arguments?: readonly string[];
  nodeOptions?: readonly string[];
}

/** Starts a process of the benchmark. It ends on `stop`, and by itself when this process ends. */
export function startChild(file: URL, options: ChildOptions = {}): Child {
  const child = fork(fileURLToPath(file), options.arguments ?? [], {
    execArgv: [...(options.nodeOptions ?? [])],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (child.pid === undefined) throw new Error(`could not start ${file.pathname}`);
  return {
    pid: child.pid,
    send: (message) => void child.send(message),
    receive: (accept, deadlineMs) => receive({ child, accept, deadlineMs, name: file.pathname }),
    stop: () => stop(child),
  };
}

interface Receive<Message> {
  child: ChildProcess;
  accept: (message: unknown) => Message | undefined;
  deadlineMs: number;
  name: string;
}

function receive<Message>({ child, accept, deadlineMs, name }: Receive<Message>): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const onMessage = (message: unknown): void => {
    const accepted = accept(message);
    if (accepted !== undefined) resolve(accepted);
  };
  const onExit = (code: number | null): void => reject(new Error(`${name} ended early with code ${code}`));
  const timer = setTimeout(() => reject(new Error(`${name} did not answer within ${deadlineMs} ms`)), deadlineMs);
  child.on('message', onMessage);
  child.once('exit', onExit);
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('message', onMessage);
    child.off('exit', onExit);
  });
}

const stopMs = 5_000;

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
  // Closing the channel is the request to stop: children exit cleanly on `disconnect`, so that profiles are written.
  if (child.connected) child.disconnect();
  await ended;
  clearTimeout(timer);
}
