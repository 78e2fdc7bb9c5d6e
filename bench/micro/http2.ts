import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';
import { makeCertificates } from '../../tests/connections/certificates.ts';
import { median } from '../measure/stats.ts';
import { listeningPort } from '../support/port.ts';

// `node bench/micro/http2.ts`: the CPU of this thread for a request to a vendor with TLS, by version of HTTP.

const [rounds, requests, atOnce] = [7, 2_000, 20];
const body = JSON.stringify({ model: 'far', messages: [{ role: 'user', content: 'Hello'.repeat(100) }] });
const answer = Buffer.alloc(1_024, 'x');

if (isMainThread) await measure();
else await serve();

async function serve(): Promise<void> {
  const { cert, key } = workerData as { cert: string; key: string };
  const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-length': answer.length }).end(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  parentPort?.postMessage(listeningPort(server));
}

async function measure(): Promise<void> {
  const certificates = await makeCertificates();
  setDefaultCACertificates([...getCACertificates(), readFileSync(certificates.authority, 'utf8')]);
  const files = { cert: readFileSync(certificates.certificate, 'utf8'), key: readFileSync(certificates.key, 'utf8') };
  const server = new Worker(new URL(import.meta.url), { workerData: files });
  const [port] = (await once(server, 'message')) as [number];
  const pools = [false, true].map((allowH2) => ({
    name: allowH2 ? 'HTTP/2' : 'HTTP/1.1',
    // Preferred, because this server offers both.
    pool: new Pool(`https://localhost:${port}`, { allowH2, connect: { allowH2, preferH2: allowH2 } as object }),
    microseconds: [] as number[],
  }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { pool, microseconds } of pools) {
      const before = process.threadCpuUsage();
      await Promise.all(Array.from({ length: atOnce }, () => callInTurn(pool)));
      const { user, system } = process.threadCpuUsage(before);
      // The first round is a warm-up.
      if (round > 0) microseconds.push((user + system) / requests);
    }
  }
  for (const { name, microseconds } of pools)
    console.log(`${name.padEnd(10)} ${median(microseconds).toFixed(0)} µs per request`);
  await Promise.all(pools.map(({ pool }) => pool.destroy()));
  await server.terminate();
  await certificates.remove();
}

async function callInTurn(pool: Pool): Promise<void> {
  for (let count = 0; count < requests / atOnce; count += 1) {
    const answered = await pool.request({ path: '/', method: 'POST', body });
    await answered.body.text();
  }
}
