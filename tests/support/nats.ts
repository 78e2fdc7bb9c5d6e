import { firstAnswer } from './probe.ts';
import type { Recipe } from './server.ts';

export const nats: Recipe = {
  name: 'nats',
  variable: 'TEST_NATS_URL',
  programs: ['nats-server'],
  aptPackage: 'nats-server',
  container: { image: 'nats:2-alpine', port: 4222, command: ['-js', '-sd', '/data'], environment: {} },
  stopSignal: 'SIGTERM',
  url: (host, port) => `nats://${host}:${port}`,
  answers: async (host, port) => (await firstAnswer(host, port))?.toString().startsWith('INFO ') ?? false,
  command: ([server = 'nats-server'], { port, directory }) => [
    server,
    '--addr',
    '127.0.0.1',
    '--port',
    String(port),
    '--jetstream',
    '--store_dir',
    directory,
  ],
};
