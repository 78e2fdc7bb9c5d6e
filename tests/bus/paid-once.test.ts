import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Link } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { GatewayError } from '@tallyport/contracts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startNats, type TestServer } from '../support/servers.ts';
import { resume, suspend } from '../support/suspend.ts';
import { startProgram } from './start-program.ts';

let server: TestServer;
let link: Link;
let bill: string;

beforeAll(async () => {
  server = await startNats();
  bill = join(mkdtempSync(join(tmpdir(), 'tallyport-test-')), 'bill');
  link = await natsLink({ url: server.url, name: 'test' });
});
afterAll(async () => {
  await link.close();
  await server.stop();
  rmSync(dirname(bill), { recursive: true });
});

async function ask(operation: string, query: Record<string, string> = {}): Promise<string> {
  const head = { requestId: 'r', timeoutMs: 30_000, headers: {}, query: new URLSearchParams(query).toString() };
  try {
    await (await link.open(`tp.s.replica.${operation}`, { head, body: Buffer.from('{}') })).body.bytes();
    return 'answered';
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

/** What was paid for one request while another replica hangs, and its result. The first replica that gets it is killed. */
async function charge(dies: string): Promise<{ result: string; bills: string }> {
  writeFileSync(bill, '');
  return { result: await ask('charge', { id: dies, bill, dies }), bills: readFileSync(bill, 'utf8') };
}

test('a request of a replica that is killed goes to another one only if it was not confirmed, and is never paid for twice', async () => {
  const replicas = await Promise.all(Array.from({ length: 5 }, () => startProgram('replica', server.url)));
  const [hung] = replicas;
  await suspend(hung?.pid);
  onTestFinished(() => resume(hung?.pid));
  // Those that the hung replica gets go to another one: from now on, all unconfirmed requests do.
  const first = await Promise.all(Array.from({ length: 30 }, () => ask('note')));
  expect(new Set(first)).toEqual(new Set(['answered']));
  expect(await charge('taken')).toEqual({ result: 'answered', bills: 'taken\n' });
  expect(await charge('confirmed')).toEqual({ result: 'unavailable', bills: '' });
  expect(await charge('charged')).toEqual({ result: 'unavailable', bills: 'charged\n' });
});
