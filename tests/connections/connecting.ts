import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const program = fileURLToPath(new URL('connect.ts', import.meta.url));

/** What a process reports that connects to this URL and trusts this authority besides the public ones. */
export async function connecting(kind: 'nats' | 'postgres' | 'redis', url: string, authority = ''): Promise<unknown> {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority };
  const { stdout } = await run(process.execPath, [program, kind, url], { env });
  return JSON.parse(stdout);
}
