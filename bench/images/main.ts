import { printMeasure } from '../support/print-measure.ts';
import { createUndo } from '../support/undo.ts';
import { describeMachine } from '../measure/machine.ts';
import { median } from '../measure/stats.ts';
import { askForImages, memoryOf, streamChunkTimes } from './measures.ts';
import { openImageBench, type ImageBench } from './image-bench.ts';

// `node bench/images/main.ts`: the cost of large images, and the delay they cause to concurrent chats.
// --quick makes a short run, not for quoting.

const megabyte = 1_000_000;
const usual = 12 * megabyte;
const large = 24 * megabyte;
const connections = 8;
const quick = process.argv.includes('--quick');
const [rounds, largeTotal, usualTotal] = quick ? [1, 4, 16] : [3, 16, 50];
const undo = createUndo();
process.once('SIGINT', () => void undo.all().finally(() => process.exit(130)));

try {
  const bench = await openImageBench(undo);
  await memory(bench);
  await throughput(bench);
  await chatDuringImages(bench);
  console.log(`\n${JSON.stringify(describeMachine())}`);
} finally {
  await undo.all();
}

/** Throughput of 4K images through edge, bus and image-svc, compared with the floor. */
async function throughput(bench: ImageBench): Promise<void> {
  await bench.images.setMode({ kind: 'image', bytes: large });
  const rates = { floor: [] as number[], gateway: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const name of ['floor', 'gateway'] as const) {
      const { bytes, seconds } = await askForImages(bench, name, { connections: 4, total: largeTotal });
      rates[name].push(bytes / megabyte / seconds);
    }
  }
  const [floor, gateway] = [median(rates.floor), median(rates.gateway)];
  printMeasure('images of 24 MB, 4 at once: the floor', `${floor.toFixed(0)} MB/s`);
  printMeasure('through edge and image-svc', `${gateway.toFixed(0)} MB/s`, '≥ 0.6 × floor', gateway >= 0.6 * floor);
}

async function memory(bench: ImageBench): Promise<void> {
  await bench.images.setMode({ kind: 'image', bytes: usual });
  const askForOne = () => askForImages(bench, 'gateway', { connections: 1, total: 1 });
  const { settled: idle } = await memoryOf(bench, askForOne);
  const one = await memoryOf(bench, askForOne);
  const { peak, settled } = await memoryOf(bench, () =>
    askForImages(bench, 'gateway', { connections, total: usualTotal }),
  );
  const allowed = 6 * usual * connections;
  printMeasure('edge and image-svc, idle', inMegabytes(idle));
  printMeasure(
    'one image of 12 MB: growth at the peak',
    inMegabytes(one.peak - idle),
    `≤ ${inMegabytes(3 * usual)}`,
    one.peak - idle <= 3 * usual,
  );
  printMeasure(
    `${usualTotal} images of 12 MB, 8 at once: growth at the peak`,
    inMegabytes(peak - idle),
    `≤ ${inMegabytes(allowed)}`,
    peak - idle <= allowed,
  );
  printMeasure('memory afterwards, relative to idle', (settled / idle).toFixed(2), '≤ 1.2', settled <= 1.2 * idle);
}

async function chatDuringImages(bench: ImageBench): Promise<void> {
  const alone = await streamChunkTimes(bench);
  const beside = await streamChunkTimes(bench, { imagesAtOnce: connections });
  const added = beside.p99 - alone.p99;
  printMeasure('20 streams at 50 chunks per second, per chunk p99', `${alone.p99.toFixed(1)} ms`);
  printMeasure('the same during 8 concurrent images of 12 MB', `${beside.p99.toFixed(1)} ms`);
  printMeasure('added by the images', `${added.toFixed(1)} ms`, '< 5 ms', added < 5);
}

function inMegabytes(bytes: number): string {
  return `${(bytes / megabyte).toFixed(0)} MB`;
}
