import { parseArgs } from 'node:util';
import { median } from '../measure/stats.ts';
import { type VendorStream, vendorStreams } from './chunks.ts';
import { openRoad } from './road.ts';

/**
 * CPU that one text chunk costs in chat-svc, by vendor: framing, translation, the client's form, the stream's body. The
 * socket and the bus are not in it; the cases of `npm run bench` have them. Alone: one chunk in a read of the socket.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const chunks = values.quick ? 20_000 : 200_000;
const rounds = values.quick ? 3 : 9;
const together = 16;

async function cost(vendor: VendorStream, chunksPerRead: number): Promise<number> {
  const road = await openRoad(vendor);
  const reads = Array.from({ length: 64 }, (_, at) =>
    Buffer.concat(Array.from({ length: chunksPerRead }, (__, within) => vendor.chunk(at * chunksPerRead + within))),
  );
  const one = async (): Promise<number> => {
    const before = process.cpuUsage();
    for (let at = 0; at < chunks / chunksPerRead; at += 1) await road.pass(reads[at % reads.length]!);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / chunks;
  };
  await one();
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push(await one());
  await road.leave();
  return median(costs);
}

console.log('vendor        bytes   alone   together   µs of CPU for a chunk');
for (const vendor of vendorStreams) {
  const alone = await cost(vendor, 1);
  const many = await cost(vendor, together);
  const { length } = vendor.chunk(1);
  console.log(
    `${vendor.providerId.padEnd(12)} ${String(length).padStart(6)} ${alone.toFixed(2).padStart(7)} ${many.toFixed(2).padStart(10)}`,
  );
}
process.exit(0);
