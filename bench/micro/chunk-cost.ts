import { parseArgs } from 'node:util';
import { median } from '../measure/stats.ts';
import { type VendorStream, vendorStreams } from './chunks.ts';
import { type BenchLane, openChunkPath } from './chunk-path.ts';

/**
 * CPU cost of one text chunk in chat-svc, by vendor: framing, translation, rendering and the stream's body, without
 * socket and bus, which the cases of `npm run bench` include. Alone: one chunk per read of the socket; together: 16. The
 * lanes of one vendor compare chat completions with the vendor's own API, translated and passed on.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const chunks = values.quick ? 20_000 : 200_000;
const rounds = values.quick ? 3 : 9;
const chunksTogether = 16;

async function cost(vendor: VendorStream, lane: BenchLane, chunksPerRead: number): Promise<number> {
  const path = await openChunkPath(vendor, lane);
  const reads = Array.from({ length: 64 }, (_, at) =>
    Buffer.concat(Array.from({ length: chunksPerRead }, (__, within) => vendor.chunk(at * chunksPerRead + within))),
  );
  const one = async (): Promise<number> => {
    const before = process.cpuUsage();
    for (let at = 0; at < chunks / chunksPerRead; at += 1) await path.pass(reads[at % reads.length]!);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / chunks;
  };
  await one();
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push(await one());
  await path.close();
  return median(costs);
}

console.log('vendor       lane        bytes   alone   together   µs of CPU per chunk');
for (const vendor of vendorStreams) {
  const lanes: BenchLane[] = vendor.providerId === 'openai' ? ['chat'] : ['chat', 'translated', 'native'];
  for (const lane of lanes) {
    const alone = await cost(vendor, lane, 1);
    const many = await cost(vendor, lane, chunksTogether);
    const { length } = vendor.chunk(1);
    console.log(
      `${vendor.providerId.padEnd(12)} ${lane.padEnd(10)} ${String(length).padStart(6)} ${alone.toFixed(2).padStart(7)} ${many.toFixed(2).padStart(10)}`,
    );
  }
}
process.exit(0);
