import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from './lock.mjs';

let directory;
let path;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tallyport-lock-'));
  path = join(directory, 'setup.lock');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const quick = { pollMs: 5, waitMs: 2_000, say: () => {} };

test('holds the lock during the step and releases it afterwards, also when the step fails', async () => {
  const held = await withLock(path, async () => JSON.parse(readFileSync(path, 'utf8')).pid);
  expect(held).toBe(process.pid);
  await expect(withLock(path, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(readdirSync(directory)).toEqual([]);
});

test('takes over the lock of a dead process at once', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.once('exit', resolve));
  writeFileSync(path, JSON.stringify({ pid: child.pid, host: hostname() }));
  expect(await withLock(path, async () => 'mine', quick)).toBe('mine');
});

test('judges a holder on another machine by the age of its lock, not by its pid', async () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, host: 'elsewhere' }));
  await expect(withLock(path, async () => 'mine', { ...quick, waitMs: 50 })).rejects.toThrow(
    /setting this checkout up/,
  );
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(path, longAgo, longAgo);
  expect(await withLock(path, async () => 'mine', quick)).toBe('mine');
});

test('waits for a live holder, up to the limit', async () => {
  let finish;
  const first = withLock(path, () => new Promise((resolve) => (finish = resolve)), quick);
  await expect(withLock(path, async () => 'second', { ...quick, waitMs: 50 })).rejects.toThrow(`remove ${path}`);
  const third = withLock(path, async () => 'third', quick);
  finish('first');
  expect(await Promise.all([first, third])).toEqual(['first', 'third']);
});

test('lets one process at a time continue when many find the same stale lock', async () => {
  writeFileSync(path, 'half a lo');
  let inside = 0;
  let most = 0;
  const step = async () => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, () => withLock(path, step, quick)));
  expect(most).toBe(1);
  expect(existsSync(path)).toBe(false);
});
