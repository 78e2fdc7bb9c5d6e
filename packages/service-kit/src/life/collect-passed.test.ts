import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Allocates 1 GB of buffers of 64 KiB and holds the newest four, as a service that passes a file on. */
const program = `
  const { collectPassed } = await import(process.argv[1]);
  const held = [];
  let most = 0;
  for (let at = 0; at < 16_000; at += 1) {
    held[at % 4] = Buffer.allocUnsafeSlow(65_536);
    if (process.argv[2] === 'collected') collectPassed(65_536);
    if (at % 16 !== 0) continue;
    most = Math.max(most, process.memoryUsage().arrayBuffers);
    await new Promise((resolve) => setImmediate(resolve));
  }
  process.stdout.write(String(most));
`;

const file = new URL('./collect-passed.ts', import.meta.url).href;

async function mostHeld(how: string): Promise<number> {
  const all = ['--expose-gc', '--max-semi-space-size=32', '--input-type=module', '-e', program, file, how];
  const { stdout } = await promisify(execFile)(process.execPath, all);
  return Number(stdout);
}

test('the buffers of what was passed on do not gather', async () => {
  const [gathered, collected] = await Promise.all([mostHeld('by default'), mostHeld('collected')]);
  expect(gathered).toBeGreaterThan(24_000_000);
  expect(collected).toBeLessThan(12_000_000);
});
