import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';

/** Signals we receive, and the signal sent to the child for each. A closed terminal (SIGHUP) is an ordinary stop. */
const forwarded = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', SIGHUP: 'SIGTERM' };

/**
 * One Ctrl-C arrives twice, from the terminal and from npm. The child must get it once: it takes a second signal as a
 * request to stop without draining.
 */
const sameSignalMs = 400;

/** Time for the child to end by itself after our parent died. A service gives running requests 30 s. */
const endMs = 45_000;

/**
 * Runs a program to its end and resolves with its exit code (128 + n when signal n killed it). Forwards signals and
 * leaves no process behind: the child has its own process group, which is killed when our parent or the child dies.
 */
export function runChild(program, args, options) {
  // Before the start: a busy machine may run the child first, and a signal would kill only this process.
  const stopForwarding = forwardSignals((signal) => child.kill(signal));
  const child = spawn(program, args, { ...options, stdio: 'inherit', detached: true });
  const stopWatching = watchParent(child);
  return new Promise((resolve, reject) => {
    const finish = () => {
      stopForwarding();
      stopWatching();
    };
    child.once('error', (error) => {
      finish();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      finish();
      killGroup(child);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

function forwardSignals(send) {
  let lastAt = -Infinity;
  const handlers = Object.entries(forwarded).map(([received, sent]) => {
    const handler = () => {
      const now = performance.now();
      if (now - lastAt > sameSignalMs) send(sent);
      lastAt = now;
    };
    process.on(received, handler);
    return [received, handler];
  });
  return () => {
    for (const [received, handler] of handlers) process.removeListener(received, handler);
  };
}

/** If npm is killed, we get no signal, only a new parent. */
function watchParent(child) {
  const parent = process.ppid;
  let forceTimer;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
    forceTimer = setTimeout(() => killGroup(child), endMs);
  }, 500);
  return () => {
    clearInterval(watch);
    clearTimeout(forceTimer);
  };
}

/** Kills the processes that the child left behind. */
function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is empty: the usual case.
  }
}
