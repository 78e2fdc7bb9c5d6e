import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { freePort } from './probe.ts';

test('a free port is claimed for all processes until this one ends', async () => {
  const port = await freePort();
  const other = createSocket('udp4').bind(port, '127.0.0.1');
  expect(await once(other, 'error')).toMatchObject([{ code: 'EADDRINUSE' }]);
  other.close();
});
