import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { copyWorkspace } from '../deploy/image/copy-package.mjs';
import { serviceNames } from '../scripts/distributed/settings.ts';
import { startDistributed } from '../scripts/distributed/start.ts';
import { startOneProcess } from '../tests/gateway/one-process.ts';
import { startSharedServers } from '../tests/support/servers.ts';
import { sum } from './measure/cpu.ts';
import { privateKib } from './measure/memory.ts';

// `node bench/idle-memory.ts`: private memory of each service that has answered nothing yet, as in its image and on real
// servers, and of the one process of `npm start` after a few chats. Exits with 1 if that needs more than
// `atMostOfOneMb`, or the services without console-svc, which the goal is older than, more than `atMostMb`.
const atMostMb = 360;
const atMostOfOneMb = 250;
/** Until then the services have read the catalogue and compiled what a start needs. */
const settleMs = 20_000;
const chats = 20;

const image = mkdtempSync(join(tmpdir(), 'image-'));
copyWorkspace(join(import.meta.dirname, '..'), image);
const { environment, stop } = await startSharedServers();
const running = await startDistributed({
  image,
  servers: {
    NATS_URL: environment.TEST_NATS_URL,
    REDIS_URL: environment.TEST_REDIS_URL,
    DATABASE_URL: environment.TEST_DATABASE_URL,
  },
});
try {
  await delay(settleMs);
  const pids = Object.fromEntries(serviceNames.flatMap((name) => running.pids(name).map((pid) => [name, pid])));
  const kib = privateKib(pids);
  const { 'console-svc': dashboard = 0 } = kib;
  const bounded = sum(kib) - dashboard;
  const rows = { ...kib, 'without console-svc': bounded, together: sum(kib) };
  for (const [name, value] of Object.entries(rows))
    process.stdout.write(`${name.padEnd(20)} ${(value / 1024).toFixed(0).padStart(6)} MB\n`);
  if (bounded / 1024 > atMostMb) process.exitCode = 1;
} finally {
  await running.stop();
  await stop();
  rmSync(image, { recursive: true });
}

const one = await startOneProcess();
try {
  for (let chat = 0; chat < chats; chat += 1) {
    const response = await fetch(`${one.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${one.apiKey}`, 'content-type': 'application/json', 'x-no-cache': 'true' },
      body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    if (!response.ok) throw new Error(`A chat was answered with ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  }
  await delay(settleMs);
  const mib = sum(privateKib({ one: one.child.pid ?? 0 })) / 1024;
  process.stdout.write(`${'one process'.padEnd(20)} ${mib.toFixed(0).padStart(6)} MB\n`);
  if (mib > atMostOfOneMb) process.exitCode = 1;
} finally {
  await one.stop();
}
