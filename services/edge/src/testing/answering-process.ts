import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP service in a separate process, which a test can pause and resume. */
export interface AnsweringProcess {
  address: string;
  process: ChildProcess;
  /** How many requests to `/wait` it has received. */
  waiting(): number;
}

/** Starts the process; resolves once it listens. It responds with its process id, and to `/wait` never. */
export async function startAnsweringProcess(): Promise<AnsweringProcess> {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [address] = await once(child.stdout, 'data');
  let waiting = 0;
  child.stdout.on('data', (marks: Buffer) => (waiting += marks.length));
  return { address: String(address), process: child, waiting: () => waiting };
}

if (import.meta.main) {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/wait') process.stdout.write('.');
    else response.end(String(process.pid));
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}
