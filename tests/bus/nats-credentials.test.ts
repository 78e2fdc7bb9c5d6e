import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LinkRefused, natsLink } from '@tallyport/bus/nats';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runToEnd } from '../support/run-to-end.ts';
import { startNats, type TestServer } from '../support/servers.ts';

let directory: string;
let server: TestServer;

const authorize = (user: string, password: string): Promise<void> =>
  writeFile(join(directory, 'nats.conf'), `authorization { user: "${user}", password: "${password}" }\n`);

function addressOf(user: string, password: string): string {
  const url = new URL(server.url);
  return `nats://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${url.host}`;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tallyport-nats-conf-'));
  await authorize('tallyport', 'p@ss:w/rd 1%');
  server = await startNats({ args: ['--config', join(directory, 'nats.conf')] });
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

test('sends the user and password of the URL, including special characters', async () => {
  const link = await natsLink({ url: addressOf('tallyport', 'p@ss:w/rd 1%'), name: 'test' });
  expect(link.connected()).toBe(true);
  await link.close();
});

test.each(['wrong:credentials@', 'token@', ''])('fails at once with wrong credentials: %s', async (given) => {
  const { host } = new URL(server.url);
  const opening = natsLink({ url: `nats://${given}${host}`, name: 'test' });
  await expect(opening).rejects.toEqual(new LinkRefused('credentials'));
});

test('a service with wrong credentials ends with an error that does not contain them', async () => {
  const NATS_URL = addressOf('tallyport', 'not-this-one');
  const environment = { ...process.env, NATS_URL, ADMIN_PORT: '0' };
  const failed: Error = await runToEnd(process.execPath, ['services/mcp-svc/src/main.ts'], { env: environment }).then(
    () => new Error('It started.'),
    (error: Error) => error,
  );
  expect(failed.message).toContain('ended with 1');
  expect(failed.message).toContain('rejects our credentials. Check the user and password, or the token, in NATS_URL.');
  expect(failed.message).not.toContain('not-this-one');
});

test('reports credentials that are refused on reconnection', async () => {
  const refused: LinkRefused[] = [];
  const link = await natsLink({
    url: addressOf('tallyport', 'p@ss:w/rd 1%'),
    name: 'test',
    onRefused: (error) => refused.push(error),
  });
  onTestFinished(() => link.close());
  await authorize('tallyport', 'another');
  process.kill(server.pid ?? 0, 'SIGHUP');
  await expect.poll(() => refused).toEqual([new LinkRefused('credentials')]);
  expect(link.connected()).toBe(false);
});
