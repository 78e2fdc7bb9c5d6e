import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

/** Reports how many collections were asked for, and whether the buffers are gone, after a number of checks. */
const program = `
  import { setImmediate, setTimeout } from 'node:timers/promises';
  const [file, scene, checks] = process.argv.slice(1);
  const { collectLessOften } = await import(file);
  const checkMs = 100;
  collectLessOften(checkMs);
  const heap = new Array(8_000_000).fill(0.5); // 64 MB
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }); // as at the end of a start
  let collections = 0;
  const { gc } = globalThis;
  globalThis.gc = (options) => {
    collections += 1;
    gc(options);
  };
  const bytes = scene === 'little' ? 2_500_000 : 5_000_000;
  const buffers = () => Array.from({ length: 10 }, () => Buffer.alloc(bytes));
  let isInUse = scene.startsWith('in use') || scene === 'busy';
  let held = buffers();
  const before = process.memoryUsage().arrayBuffers;
  const areGone = () => process.memoryUsage().arrayBuffers < before / 2;
  const work = () => {
    for (const end = performance.now() + 2; performance.now() < end; );
  };
  let passed = 0;
  setInterval(() => (passed += 1), checkMs).unref();
  const wait = async () => {
    for (passed = 0; passed < Number(checks) && (isInUse || !areGone()); ) {
      // Pause: the process is quiet, or not, for some checks.
      if (scene !== 'busy') await setTimeout(checkMs);
      else work(await setImmediate());
    }
  };
  if (!isInUse) held = undefined;
  await wait();
  if (scene.endsWith('then another burst')) {
    held = undefined;
    if (isInUse) gc(); // as V8 itself, while the process is busy
    // Pause: the process is quiet before another burst.
    await setTimeout(2 * checkMs);
    isInUse = false;
    buffers();
    await wait();
  }
  process.stdout.write(JSON.stringify({ collections, gone: areGone(), used: [heap.length, held?.length] }));
`;

/** It sets flags without which V8 itself collects such garbage. */
const file = new URL('./collect-less-often.ts', import.meta.url).href;

async function play(scene: string, checks: number): Promise<{ collections: number; gone: boolean }> {
  const args = ['--expose-gc', '--input-type=module', '-e', program, file, scene, String(checks)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

describe('a process that a burst left with much garbage', () => {
  test('collects it once it is quiet', async () => {
    expect(await play('garbage', 200)).toMatchObject({ collections: 1, gone: true });
  });

  test('collects that of the next burst too', async () => {
    expect(await play('in use, then another burst', 20)).toMatchObject({ collections: 2, gone: true });
    expect(await play('garbage, then another burst', 200)).toMatchObject({ collections: 2, gone: true });
  });

  test('collects nothing while it is busy', async () => {
    expect(await play('busy', 10)).toMatchObject({ collections: 0 });
  });
});

test('a process that a burst left with little garbage collects nothing', async () => {
  expect(await play('little', 10)).toMatchObject({ collections: 0, gone: false });
});

test('buffers in use are not collected for again and again', async () => {
  expect(await play('in use', 20)).toMatchObject({ collections: 1, gone: false });
});
