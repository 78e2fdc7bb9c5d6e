import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from './problem.mjs';

const defaults = {
  /** How often the holder updates the lock's modification time. */
  beatMs: 2_000,
  /**
   * A lock that was not updated for this long is stale. The holder may be on another machine, where its pid cannot be
   * checked.
   */
  staleMs: 20_000,
  pollMs: 100,
  waitMs: 10 * 60_000,
  say: (line) => process.stderr.write(`${line}\n`),
};

/**
 * Runs `step` with an exclusive lock for this checkout. Waits for the current holder and takes over the lock of a dead
 * one.
 */
export async function withLock(path, step, options = {}) {
  const settings = { ...defaults, ...options };
  const token = await acquire(path, settings);
  const beat = setInterval(() => refresh(path), settings.beatMs);
  beat.unref();
  const releaseLock = () => release(path, token);
  // A signal during set-up ends us through process.exit, which must also release the lock.
  process.once('exit', releaseLock);
  try {
    return await step();
  } finally {
    clearInterval(beat);
    process.removeListener('exit', releaseLock);
    releaseLock();
  }
}

function refresh(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // The user removed the lock by hand.
  }
}

async function acquire(path, { staleMs, pollMs, waitMs, say }) {
  const token = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  const deadline = performance.now() + waitMs;
  let reported = false;
  while (!tryCreate(path, token)) {
    if (isStale(path, staleMs) && removeStale(path, staleMs)) continue;
    if (performance.now() > deadline) {
      throw new Problem(`Another start is still setting this checkout up. If none is running, remove ${path}.`);
    }
    if (!reported) say('Another start is setting this checkout up; waiting …');
    reported = true;
    await delay(pollMs);
  }
  return token;
}

/**
 * Creates the lock together with its content: writes another file, then links it to `path`, which fails if `path`
 * exists.
 */
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
    // The lock was released in the meantime: not stale, and the next attempt to create it decides.
    return error instanceof SyntaxError;
  }
}

/**
 * Removes a stale lock; returns whether this process had the turn to do so. Two processes that see the same stale lock
 * must not remove each other's new lock, so removing is guarded by a second lock.
 */
function removeStale(path, staleMs) {
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
    // Another process considered the lock stale and owns it now.
  }
}
