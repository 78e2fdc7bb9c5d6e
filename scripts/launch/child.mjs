import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';

/** What we are told, and what the child is told. A closed terminal is a plain wish to stop. */
const forwarded = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', SIGHUP: 'SIGTERM' };

/** One Ctrl-C reaches us twice, from the terminal and from npm; the child must see it once, or it would take it for impatience. */
const sameSignalMs = 400;

/** After the parent died: how long the child may take to end by itself. A service gives running requests 30 s. */
const endMs = 45_000;

/**
 * Runs a program to its end and resolves with its exit code (128 + n when signal n killed it). Signals are forwarded, and
 * nothing outlives us: the child has its own process group, which is ended when our parent or the child itself dies.
 */
export function runChild(program, args, options) {
  const child = spawn(program, args, { ...options, stdio: 'inherit', detached: true });
  const stopForwarding = forwardSignals(child);
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

function forwardSignals(child) {
  let lastAt = -Infinity;
  const handlers = Object.entries(forwarded).map(([told, tell]) => {
    const handler = () => {
      const now = performance.now();
      if (now - lastAt > sameSignalMs) child.kill(tell);
      lastAt = now;
    };
    process.on(told, handler);
    return [told, handler];
  });
  return () => {
    for (const [told, handler] of handlers) process.removeListener(told, handler);
  };
}

/** npm can be killed without a word to us; then we have a new parent. */
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

/** What the child started and left behind goes with it. */
function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody left: the usual case.
  }
}
