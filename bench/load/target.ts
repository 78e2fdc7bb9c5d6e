import type { System } from '../system.ts';
import type { UpstreamMode } from '../upstream/mode.ts';
import type { Target } from './plan.ts';

export const prompt =
  'Describe the quick brown fox, and the things it saw when it looked back over its shoulder.'.repeat(9);

/** The same request for every system: a small chat of about 1 KB. The mode of the upstream determines the answer. */
export function targetOf(system: Pick<System, 'headers' | 'model' | 'port'>, mode: UpstreamMode): Target {
  const body = JSON.stringify({
    model: system.model,
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: prompt },
    ],
    temperature: 0.7,
    ...(mode.kind === 'stream' && { stream: true }),
  });
  return targetAt(system, '/v1/chat/completions', body);
}

export function targetAt(system: Pick<System, 'headers' | 'port'>, path: string, body: string): Target {
  const headers = {
    host: `127.0.0.1:${system.port}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...system.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  return { host: '127.0.0.1', port: system.port, request };
}
