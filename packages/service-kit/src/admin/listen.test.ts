import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { closeServer, listen } from './listen.ts';

/** Prints how many of a thousand clients are connected when all are, or after five seconds. */
const connectThousand = `
  const { connect } = require('node:net');
  let connected = 0;
  const print = () => { console.log(connected); process.exit(); };
  // Pause: a program that does not end by itself would print it.
  setTimeout(print, 5000);
  for (let at = 0; at < 1000; at++)
    connect(Number(process.argv[1]), '127.0.0.1', () => { if (++connected === 1000) print(); });
`;

test('a thousand clients can connect while one turn of the event loop runs', async () => {
  const server = createServer();
  const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
  // Nothing is accepted meanwhile, because this process waits for the other one.
  const { stdout } = spawnSync(process.execPath, ['-e', connectThousand, port], { encoding: 'utf8' });
  await closeServer(server, 0);
  expect(stdout).toBe('1000\n');
});
