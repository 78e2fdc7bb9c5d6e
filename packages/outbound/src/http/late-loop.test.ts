import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { openUpstream } from './open.ts';
import { createPools } from './pools.ts';
import { readAll } from './read-all.ts';
import type { Ending, ReadingVendor } from './testing/reading-vendor.worker.ts';

const rounds = 20;
/** Longer than a vendor in this machine needs to read a request and to end the connection. */
const lateMs = 20;

const endings: Ending[] = ['resets', 'closes', 'resets after an interim answer'];

/** A vendor in a thread of its own, which reads while the loop of this one is late. */
async function startVendor(ending: Ending) {
  const vendor: ReadingVendor = { ending, read: new Int32Array(new SharedArrayBuffer(4)) };
  const worker = new Worker(new URL('testing/reading-vendor.worker.ts', import.meta.url), { workerData: vendor });
  const pools = createPools({ connectMs: 5_000 });
  onTestFinished(async () => {
    await pools.close();
    await worker.terminate();
  });
  const [port]: number[] = await once(worker, 'message');
  return { origin: `http://127.0.0.1:${port}`, pools, read: vendor.read };
}

function delayLoop(): void {
  for (const end = performance.now() + lateMs; performance.now() < end;);
}

test.each(endings)(
  'a request that the vendor has read is sent once if it %s while the event loop is late',
  async (ending) => {
    const { origin, pools, read } = await startVendor(ending);
    const ask = async (onSent?: () => void): Promise<void> => {
      const request = { origin, path: '/', method: 'POST', headers: {}, body: '{}' } as const;
      const call = openUpstream(pools, request, { maxBytes: 100, onSent });
      await call.head();
      await readAll(call);
      // The connection is free again one turn later.
      await new Promise((later) => setImmediate(later));
    };
    for (let round = 1; round <= rounds; round += 1) {
      await ask();
      await expect(ask(delayLoop)).rejects.toMatchObject({ kind: 'connection' });
      expect(Atomics.load(read, 0)).toBe(2 * round);
    }
  },
);
