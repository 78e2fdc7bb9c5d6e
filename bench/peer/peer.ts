import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startProcessServer } from '../../tests/support/process-server.ts';
import type { ProgramRecipe } from '../../tests/support/server.ts';
import type { System } from '../system.ts';

const folder = fileURLToPath(new URL('./portkey/', import.meta.url));
const program = `${folder}node_modules/@portkey-ai/gateway/build/start-server.js`;

/**
 * Portkey's gateway, the other one in TypeScript: one process, without keys, limits or a ledger. A header of each request
 * names the provider and its address.
 */
export async function startPeer(upstreamPort: number): Promise<System> {
  if (!existsSync(program)) await install();
  const server = await startProcessServer(portkey, [process.execPath, program]);
  const headers = {
    authorization: 'Bearer bench',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
  };
  return {
    name: 'peer',
    port: Number(new URL(server.url).port),
    model: 'gpt-6-luna',
    headers,
    pids: server.pid === undefined ? {} : { peer: server.pid },
    besidePids: {},
    stop: server.stop,
  };
}

const portkey: ProgramRecipe = {
  name: 'peer',
  stopSignal: 'SIGTERM',
  url: (host, port) => `http://${host}:${port}`,
  answers: (host, port) =>
    fetch(`http://${host}:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    ),
  command: (programs, { port }) => ['env', 'NODE_ENV=production', ...programs, `--port=${port}`, '--headless'],
};

async function install(): Promise<void> {
  console.error('bench: installing the peer (once)');
  await promisify(execFile)('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']);
}
