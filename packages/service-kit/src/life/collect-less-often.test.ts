import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** Allocates 3 GB of buffers of 64 KiB and holds the newest 100 MB of them, as a service with eight large answers. */
const program = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  const { collectLessOften } = await import(process.argv[1]);
  if (process.argv[2] === 'less often') collectLessOften();
  const heap = new Array(8_000_000).fill(0.5); // 64 MB
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }); // as at the end of a start
  let collections = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries())
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1;
  }).observe({ entryTypes: ['gc'] });
  const held = [];
  let most = 0;
  for (let at = 0; at < 48_000; at += 1) {
    held[at % 1536] = Buffer.allocUnsafeSlow(65_536);
    if (at % 64 !== 0) continue;
    most = Math.max(most, process.memoryUsage().arrayBuffers);
    await new Promise((resolve) => setImmediate(resolve));
  }
  process.stdout.write(JSON.stringify({ collections, most, used: heap.length }));
`;

const file = new URL('./collect-less-often.ts', import.meta.url).href;

async function passOn(how: string, flags: readonly string[] = []): Promise<{ collections: number; most: number }> {
  const all = ['--expose-gc', ...flags, '--input-type=module', '-e', program, file, how];
  const { stdout } = await promisify(execFile)(process.execPath, all);
  return JSON.parse(stdout);
}

describe('a process that passes on many buffers', () => {
  it('collects garbage less than half as often', async () => {
    const [byDefault, lessOften] = await Promise.all([passOn('by default'), passOn('less often')]);
    expect(byDefault.collections).toBeGreaterThan(25);
    expect(lessOften.collections).toBeLessThan(byDefault.collections / 2);
  });

  it('keeps no more garbage than before with little memory', async () => {
    // What V8 chooses in a container with 256 MiB.
    const { most } = await passOn('less often', ['--max-old-space-size=128']);
    expect(most).toBeLessThan(300_000_000);
  });
});
