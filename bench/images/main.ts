import { tell } from '../support/tell.ts';
import { createUndo } from '../support/undo.ts';
import { describeMachine } from '../measure/machine.ts';
import { median } from '../measure/stats.ts';
import { askForImages, heldBytes, memoryOf, streamBeside } from './measures.ts';
import { openRoad, type Road } from './road.ts';

// `node bench/images/main.ts`: what large images cost, and what a chat beside them notices.
// With --quick less of everything: to see that it works, not to quote.

const megabyte = 1_000_000;
const usual = 12 * megabyte;
const large = 24 * megabyte;
const connections = 8;
const quick = process.argv.includes('--quick');
const [rounds, largeTotal, usualTotal] = quick ? [1, 4, 16] : [3, 16, 50];
const undo = createUndo();
process.once('SIGINT', () => void undo.all().finally(() => process.exit(130)));

try {
  const road = await openRoad(undo);
  await memory(road);
  await throughput(road);
  await chatBeside(road);
  console.log(`\n${JSON.stringify(describeMachine())}`);
} finally {
  await undo.all();
}

/** A 4K image through edge, bus and image-svc, against the same road with nothing in it. */
async function throughput(road: Road): Promise<void> {
  await road.images.setMode({ kind: 'image', bytes: large });
  const rates = { floor: [] as number[], gateway: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const name of ['floor', 'gateway'] as const) {
      const { bytes, seconds } = await askForImages(road, name, { connections: 4, total: largeTotal });
      rates[name].push(bytes / megabyte / seconds);
    }
  }
  const [floor, gateway] = [median(rates.floor), median(rates.gateway)];
  tell('images of 24 MB, 4 at once: the floor', `${floor.toFixed(0)} MB/s`);
  tell('through edge and image-svc', `${gateway.toFixed(0)} MB/s`, '≥ 0.6 × floor', gateway >= 0.6 * floor);
}

async function memory(road: Road): Promise<void> {
  await road.images.setMode({ kind: 'image', bytes: usual });
  await askForImages(road, 'gateway', { connections: 1, total: 1 });
  const idle = heldBytes(road);
  const { peak, settled } = await memoryOf(road, () =>
    askForImages(road, 'gateway', { connections, total: usualTotal }),
  );
  const allowed = 6 * usual * connections;
  tell('edge and image-svc, idle', inMegabytes(idle));
  tell(
    `${usualTotal} images of 12 MB, 8 at once: more at the peak`,
    inMegabytes(peak - idle),
    `≤ ${inMegabytes(allowed)}`,
    peak - idle <= allowed,
  );
  tell('held when it is over, of idle', (settled / idle).toFixed(2), '≤ 1.2', settled <= 1.2 * idle);
}

async function chatBeside(road: Road): Promise<void> {
  const alone = await streamBeside(road);
  const beside = await streamBeside(road, { imagesAtOnce: connections });
  const added = beside.p99 - alone.p99;
  tell('20 streams at 50 chunks per second, per chunk p99', `${alone.p99.toFixed(1)} ms`);
  tell('the same beside 8 images of 12 MB at a time', `${beside.p99.toFixed(1)} ms`);
  tell('added by them', `${added.toFixed(1)} ms`, '< 5 ms', added < 5);
}

function inMegabytes(bytes: number): string {
  return `${(bytes / megabyte).toFixed(0)} MB`;
}
