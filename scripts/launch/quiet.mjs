import { spawn } from 'node:child_process';
import process from 'node:process';

const keptCharacters = 100_000;

/**
 * Runs a set-up program and returns its output instead of printing it. A signal ends this process and all set-up programs
 * at once: every step of set-up can be repeated.
 */
export function runQuietly(program, args, { cwd, env }) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (signal) => process.exit(signal === 'SIGINT' ? 130 : 143);
  const kill = () => child.kill();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.once(signal, stop);
  process.once('exit', kill);
  return new Promise((resolve, reject) => {
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-keptCharacters);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => {
      for (const signal of signals) process.removeListener(signal, stop);
      process.removeListener('exit', kill);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** The likeliest cause of a failed download, as a continuation of "… failed". */
export function because(output) {
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|dns error|error sending request|client error \(Connect\)/.test(
      output,
    )
  ) {
    return ' because the package registry cannot be reached; the first start needs the network, later ones do not';
  }
  if (/ENOSPC|No space left/i.test(output)) return ' because the disk is full';
  if (/EACCES|EROFS|EPERM|Permission denied|Read-only file system/.test(output))
    return ' because a folder cannot be written';
  if (/OUTDATED_LOCKFILE/.test(output)) {
    return ' because pnpm-lock.yaml does not match package.json; run `pnpm install` and commit both';
  }
  const lines = output.trim().split('\n');
  const errorLine = lines.find((line) => /ERR_|error/i.test(line)) ?? lines.at(-1);
  return errorLine ? `: ${errorLine.trim()}` : '';
}
