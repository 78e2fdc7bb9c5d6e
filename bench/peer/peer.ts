import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, waitUntil } from '../../tests/support/probe.ts';
import { startProgram } from '../support/program.ts';
import type { System } from '../system.ts';

const folder = fileURLToPath(new URL('./portkey/', import.meta.url));
const program = `${folder}node_modules/@portkey-ai/gateway/build/start-server.js`;

/**
 * Portkey's gateway, the other one in TypeScript: one process, without keys, limits or a ledger. A header of each request
 * names the provider and its address.
 */
export async function startPeer(upstreamPort: number): Promise<System> {
  if (!existsSync(program)) await install();
  const port = await freePort();
  const { pid, stop } = startProgram([program, `--port=${port}`, '--headless'], { NODE_ENV: 'production' });
  try {
    await waitUntil('the peer to answer', () => answers(port), { deadlineMs: 15_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  const headers = {
    authorization: 'Bearer bench',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
  };
  return { name: 'peer', port, model: 'gpt-4o-mini', headers, pids: { peer: pid }, besidePids: {}, stop };
}

async function install(): Promise<void> {
  console.error('bench: installing the peer (once)');
  await promisify(execFile)('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']);
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    ({ ok }) => ok,
    () => false,
  );
