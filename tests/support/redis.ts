import { firstAnswer } from './probe.ts';
import type { Recipe } from './server.ts';

export const redis: Recipe = {
  name: 'redis',
  variable: 'TEST_REDIS_URL',
  programs: ['redis-server'],
  aptPackage: 'redis-server',
  container: { image: 'redis:7-alpine', port: 6379, command: ['redis-server', '--save', ''], environment: {} },
  stopSignal: 'SIGTERM',
  url: (host, port) => `redis://${host}:${port}`,
  answers: async (host, port) => (await firstAnswer(host, port, 'PING\r\n'))?.toString().startsWith('+PONG') ?? false,
  command: ([server = 'redis-server'], { port, directory }) => [
    server,
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--dir',
    directory,
    '--save',
    '',
    '--appendonly',
    'no',
  ],
};
