import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { nodeArguments } from '../../../../scripts/launch/node-flags.mjs';

/** Reports how many collections were asked for, and whether the memory is returned, after a number of checks. */
const program = `
  import { setImmediate, setTimeout } from 'node:timers/promises';
  const [file, scene, checks] = process.argv.slice(1);
  const { returnMemoryWhenQuiet } = await import(file);
  const checkMs = 100;
  let collections = 0;
  const { gc } = globalThis;
  globalThis.gc = (options) => {
    collections += 1;
    gc(options);
  };
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }); // as at the end of a start
  const before = process.memoryUsage().heapTotal;
  returnMemoryWhenQuiet(() => {}, checkMs);
  const load = () => Array.from({ length: scene === 'little' ? 50_000 : 1_000_000 }, (_, at) => ({ at, text: 'text' + at }));
  let held = load();
  if (scene !== 'in use') held = undefined;
  const isReturned = () => process.memoryUsage().heapTotal - before < 32 * 1024 ** 2;
  const work = () => {
    for (const end = performance.now() + 2; performance.now() < end; );
  };
  let passed = 0;
  setInterval(() => (passed += 1), checkMs).unref();
  while (passed < Number(checks) && !(scene === 'garbage' && isReturned())) {
    // Pause: the process is quiet, or not, for some checks.
    if (scene !== 'busy') await setTimeout(checkMs);
    else work(await setImmediate());
  }
  process.stdout.write(JSON.stringify({ collections, returned: isReturned(), held: held?.length }));
`;

const file = new URL('./return-memory.ts', import.meta.url).href;

async function play(scene: string, checks: number): Promise<unknown> {
  const args = [...nodeArguments, '--expose-gc', '--input-type=module', '-e', program, file, scene, String(checks)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

test('a process returns the memory that a load has left behind, once it is quiet', async () => {
  expect(await play('garbage', 200)).toEqual({ collections: 1, returned: true });
});

test('it returns nothing while it is busy', async () => {
  expect(await play('busy', 10)).toEqual({ collections: 0, returned: false });
});

test('it does not collect for little', async () => {
  expect(await play('little', 10)).toEqual({ collections: 0, returned: true });
});

test('memory in use is not collected for again and again', async () => {
  expect(await play('in use', 20)).toMatchObject({ collections: 1, returned: false });
});

/** Opens files until there is no descriptor left. The system reads the memory of a process from a file. */
const exhausted = `
  import { openSync } from 'node:fs';
  const { returnMemoryWhenQuiet } = await import(process.argv[1]);
  const alive = setInterval(() => {}, 1_000);
  const reported = await new Promise((resolve) => {
    returnMemoryWhenQuiet(resolve, 10);
    try {
      for (;;) openSync('/dev/null');
    } catch {}
  });
  clearInterval(alive);
  process.stdout.write(reported.code);
`;

test('it reports that the memory cannot be read, and goes on', async () => {
  const args = [...nodeArguments, '--expose-gc', '--input-type=module', '-e', exhausted, file];
  const limited = ['-c', 'ulimit -n 200 && exec "$0" "$@"', process.execPath, ...args];
  const { stdout } = await promisify(execFile)('sh', limited);
  expect(stdout).toBe('EMFILE');
});
