import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from './problem.mjs';

const defaults = {
  /** The holder shows this often that it lives. */
  beatMs: 2_000,
  /** Without a sign of life for this long a lock is void: its holder may have been on another machine, where its pid says nothing. */
  staleMs: 20_000,
  pollMs: 100,
  waitMs: 10 * 60_000,
  say: (line) => process.stderr.write(`${line}\n`),
};

/** Runs `step` while no other process of this checkout does; waits for its turn, takes over from the dead. */
export async function withLock(path, step, options = {}) {
  const settings = { ...defaults, ...options };
  const token = await acquire(path, settings);
  const beat = setInterval(() => showLife(path), settings.beatMs);
  beat.unref();
  const free = () => release(path, token);
  // A signal during set-up ends us through process.exit: the lock must go then, too.
  process.once('exit', free);
  try {
    return await step();
  } finally {
    clearInterval(beat);
    process.removeListener('exit', free);
    free();
  }
}

function showLife(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Removed by hand: whoever did that wanted it.
  }
}

async function acquire(path, { staleMs, pollMs, waitMs, say }) {
  const token = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  const deadline = performance.now() + waitMs;
  let told = false;
  while (!tryCreate(path, token)) {
    if (isStale(path, staleMs) && takeAway(path, staleMs)) continue;
    if (performance.now() > deadline) {
      throw new Problem(
        `Another start is setting this checkout up and does not come to an end; remove ${path} if it is not so.`,
      );
    }
    if (!told) say('Another start is setting this checkout up; waiting for it …');
    told = true;
    await delay(pollMs);
  }
  return token;
}

/** The lock appears with its content or not at all: written aside, then linked to its name, which fails when taken. */
function tryCreate(path, token) {
  const aside = `${path}.${randomUUID()}`;
  writeFileSync(aside, token);
  try {
    linkSync(aside, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function isStale(path, staleMs) {
  try {
    if (Date.now() - statSync(path).mtimeMs > staleMs) return true;
    const { pid, host } = JSON.parse(readFileSync(path, 'utf8'));
    return host === hostname() && !isAlive(pid);
  } catch (error) {
    // Gone in the meantime: the next try to create it decides.
    return error instanceof SyntaxError;
  }
}

/** Whether it is gone. Two that see the same dead lock must not remove each other's new one: removing has a lock of its own. */
function takeAway(path, staleMs) {
  const guard = `${path}.takeover`;
  if (!tryCreate(guard, '')) {
    if (Date.now() - modifiedAt(guard) > staleMs) rmSync(guard, { force: true });
    return false;
  }
  try {
    if (isStale(path, staleMs)) rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

function modifiedAt(path) {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return Date.now();
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function release(path, token) {
  try {
    if (readFileSync(path, 'utf8') === token) rmSync(path, { force: true });
  } catch {
    // Somebody took it for dead: theirs now.
  }
}
