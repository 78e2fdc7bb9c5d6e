import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { privateKib } from '../../bench/measure/memory.ts';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';
import { wholly } from '../support/scale.ts';

// Long: it uploads large files.
// About: services/batch-svc/src/storage, services/edge/src.

const megabyte = 1_000_000;
const fileBytes = (wholly ? 200 : 60) * megabyte;
const mostMore = 40 * megabyte;

let servers: GatewayServers;
let running: Distributed;
let folder: string;

beforeAll(async () => {
  servers = await startGatewayServers();
  folder = await mkdtemp(join(tmpdir(), 'tallyport-files-'));
  running = await startDistributed({
    servers: servers.urls,
    replicas: { 'console-svc': 0, 'mcp-svc': 0, 'image-svc': 0, 'batch-svc': 1 },
    environment: { FILES_DIR: folder },
  });
});
afterAll(async () => {
  await running?.stop();
  await servers?.stop();
  await rm(folder, { recursive: true, force: true });
});

const pids = () => ({ edge: running.pids('edge')[0] ?? 0, batch: running.pids('batch-svc')[0] ?? 0 });
const heldBytes = () => Object.values(privateKib(pids())).reduce((sum, kib) => sum + kib * 1024, 0);

async function peakDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; peak: number }> {
  let peak = heldBytes();
  const timer = setInterval(() => (peak = Math.max(peak, heldBytes())), 20);
  try {
    return { result: await work(), peak };
  } finally {
    clearInterval(timer);
  }
}

const piece = Buffer.alloc(megabyte, 'a file of a client ');
const headers = () => ({ authorization: `Bearer ${running.apiKey}` });

async function* formOf(bytes: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from('--x\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nuser_data\r\n');
  yield Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="large.bin"\r\n\r\n');
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
  yield Buffer.from('\r\n--x--\r\n');
}

async function store(bytes: number): Promise<string> {
  const response = await fetch(`${running.baseUrl}/v1/files`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'multipart/form-data; boundary=x' },
    body: ReadableStream.from(formOf(bytes)),
    duplex: 'half',
  });
  expect(response.status).toBe(200);
  const { id } = (await response.json()) as { id: string };
  return id;
}

async function hashOfContent(id: string): Promise<string> {
  const response = await fetch(`${running.baseUrl}/v1/files/${id}/content`, { headers: headers() });
  const hash = createHash('sha256');
  for await (const bytes of response.body ?? []) hash.update(bytes);
  return hash.digest('hex');
}

test(`a file of ${fileBytes / megabyte} MB goes in and out with at most 40 MB more in edge and batch-svc`, async () => {
  // What every process allocates for its first file.
  await hashOfContent(await store(5 * megabyte));
  const idle = heldBytes();
  const startedAt = performance.now();
  const stored = await peakDuring(() => store(fileBytes));
  const storedAt = performance.now();
  const read = await peakDuring(() => hashOfContent(stored.result));
  const expected = createHash('sha256');
  for (let left = fileBytes; left > 0; left -= piece.length) expected.update(piece);
  expect(read.result).toBe(expected.digest('hex'));
  const more = { in: stored.peak - idle, out: read.peak - idle };
  const seconds = { in: (storedAt - startedAt) / 1_000, out: (performance.now() - storedAt) / 1_000 };
  console.info(`files: ${JSON.stringify({ fileBytes, more, seconds })}`);
  expect(Math.max(more.in, more.out)).toBeLessThan(mostMore);
});
