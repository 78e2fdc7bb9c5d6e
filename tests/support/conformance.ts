import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

interface ConformanceRun {
  url: string;
  scenario: string;
  revision: string;
}

interface ConformanceResult {
  passed: number;
  /** The ids of the failed checks. */
  failed: string[];
}

/** Runs a scenario of the protocol's official suite. */
export async function runConformance({ url, scenario, revision }: ConformanceRun): Promise<ConformanceResult> {
  const folder = mkdtempSync(join(tmpdir(), 'tallyport-conformance-'));
  const child = spawn(
    process.execPath,
    [suite, 'server', '--url', url, '--scenario', scenario, '--spec-version', revision, '-o', folder],
    { stdio: 'ignore' },
  );
  await once(child, 'close');
  const [file] = globSync(join(folder, '**/checks.json'));
  if (file === undefined) throw new Error(`The suite has no results for ${scenario} in ${revision}.`);
  const checks = JSON.parse(readFileSync(file, 'utf8')) as { id: string; status: string }[];
  rmSync(folder, { recursive: true });
  const ids = (status: string): string[] => [
    ...new Set(checks.filter((check) => check.status === status).map(({ id }) => id)),
  ];
  return { passed: ids('SUCCESS').length, failed: ids('FAILURE').toSorted() };
}

export interface Relay {
  url: string;
  close(): void;
}

/** A proxy that adds headers to every request, because the suite does not support keys. */
export async function startRelay(target: string, headersOf: () => Record<string, string>): Promise<Relay> {
  const { port: targetPort } = new URL(target);
  const server = createServer((incoming, response) => {
    const own = `:${(server.address() as AddressInfo).port}`;
    const headers = { ...incoming.headers, ...headersOf() };
    // Keep the host names and replace only the port.
    headers.host = headers.host?.replace(own, `:${targetPort}`);
    if (headers.origin) headers.origin = headers.origin.replace(own, `:${targetPort}`);
    const outgoing = request(new URL(incoming.url ?? '/', target), { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
