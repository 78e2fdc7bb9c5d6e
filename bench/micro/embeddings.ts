import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { catalogueOf, modelOf, offerOf } from '../../packages/contracts/src/testing/index.ts';
import { type ChatBench, startChatBench } from '../../services/chat-svc/src/testing/chat-bench.ts';
import { median } from '../measure/stats.ts';
import { listeningPort } from '../support/port.ts';
import { longestGap } from './longest-gap.ts';

/**
 * How long an answer with 2,048 vectors of 1,536 numbers blocks the event loop of chat-svc, as numbers and in base64. The
 * vendor is a separate process. Goal: 20 ms.
 */
const [inputs, dimensions, rounds] = [2_048, 1_536, 7];
const goalMs = 20;

if (process.send === undefined) await measure();
else serveVectors();

async function measure(): Promise<void> {
  const vendor = fork(new URL(import.meta.url));
  process.once('exit', () => vendor.kill());
  const [port] = (await once(vendor, 'message')) as [number];
  const model = 'text-embedding-3-small';
  const bench = await startChatBench({
    environment: { OPENAI_API_KEY: 'any', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, CACHE_TTL_SECONDS: '0' },
    catalogue: catalogueOf({
      ...modelOf(model, [offerOf('openai', { modelName: model })]),
      outputModalities: ['embeddings'],
    }),
  });
  const principal = { accountId: 'account', keyId: 'key' };
  const input = Array.from({ length: inputs }, (_, at) => `text ${at}`);
  for (const format of ['float', 'base64']) {
    const body = { model, input, encoding_format: format };
    const gaps: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const { status, gapMs } = await longestGap(async () =>
        statusOfRead(await bench.openEmbeddings(body, { principal })),
      );
      if (status !== 200) throw new Error(`The request failed with ${status}.`);
      if (round > 0) gaps.push(gapMs);
    }
    const gapMs = median(gaps);
    if (gapMs > goalMs) process.exitCode = 1;
    console.log(`${format.padEnd(8)} longest gap of the event loop ${gapMs.toFixed(1)} ms (median of ${rounds})`);
  }
  await bench.close();
  vendor.kill();
}

/** Reads the answer piece by piece, as edge relays it: joining 40 MB would be the longest gap. */
async function statusOfRead({ head, body }: Awaited<ReturnType<ChatBench['openEmbeddings']>>): Promise<number> {
  for await (const _piece of body) continue;
  return head.status;
}

/** Answers each request with as many vectors as it has inputs. */
function serveVectors(): void {
  const vector = Array.from({ length: dimensions }, (_, at) => Math.fround(Math.sin(at) / 30));
  const forms = { float: JSON.stringify(vector), base64: JSON.stringify(bytesOf(vector).toString('base64')) };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { input, encoding_format: format } = JSON.parse(Buffer.concat(pieces).toString());
    const form = format === 'base64' ? forms.base64 : forms.float;
    const data = input.map((_: string, index: number) => `{"object":"embedding","index":${index},"embedding":${form}}`);
    const usage = '{"prompt_tokens":4096,"total_tokens":4096}';
    response.setHeader('content-type', 'application/json');
    response.end(`{"object":"list","data":[${data.join()}],"model":"text-embedding-3-small","usage":${usage}}`);
  });
  server.listen(0, '127.0.0.1', () => process.send?.(listeningPort(server)));
  process.once('disconnect', () => process.exit(0));
}

function bytesOf(vector: readonly number[]): Buffer {
  return Buffer.from(new Float32Array(vector).buffer);
}
