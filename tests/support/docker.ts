import { request } from 'node:http';
import type { RequestOptions } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Whether a Docker engine answers at one of its usual addresses. */
export async function dockerAnswers(): Promise<boolean> {
  const answers = await Promise.all(addresses().map(ping));
  return answers.includes(true);
}

function addresses(): RequestOptions[] {
  const { DOCKER_HOST: host, XDG_RUNTIME_DIR: runtime } = process.env;
  if (host?.startsWith('tcp://')) return [tcpAddress(host)];
  if (host?.startsWith('unix://')) return [{ socketPath: host.slice('unix://'.length) }];
  const sockets = [
    '/var/run/docker.sock',
    join(homedir(), '.docker/run/docker.sock'),
    join(homedir(), '.docker/desktop/docker.sock'),
    ...(runtime ? [join(runtime, 'docker.sock')] : []),
  ];
  return sockets.map((socketPath) => ({ socketPath }));
}

function tcpAddress(host: string): RequestOptions {
  const { hostname, port } = new URL(host);
  return { host: hostname, port };
}

function ping(address: RequestOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const outgoing = request({ ...address, path: '/_ping', timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    outgoing.once('timeout', () => outgoing.destroy());
    outgoing.once('error', () => resolve(false));
    outgoing.once('close', () => resolve(false));
    outgoing.end();
  });
}
