import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession } from '@openai/agents/realtime';
import OpenAI, { AzureOpenAI } from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import type { RealtimeServerEvent } from 'openai/resources/realtime/realtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type SimulatedVendors } from '../../packages/simulator/src/index.ts';
import { connectSocket } from '../../services/edge/src/testing/socket-client.ts';
import { blockAfter, blocksOf } from '../docs/markdown.ts';
import { dollarsOfRealtime } from '../money/realtime-bill.ts';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { startChromium } from '../support/chromium.ts';
import { runToEnd } from '../support/run-to-end.ts';

/** Tests the realtime sockets of the OpenAI SDK, and of a page of a browser, through the whole gateway. */
let gateway: Gateway;
let simulator: SimulatedVendors;
let folder: string;
let page: string;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0 });
  page = await readFile('docs/realtime.md', 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'tallyport-realtime-'));
  await writeFile(join(folder, 'tallyport.yaml'), blockAfter(page, 'azure realtime'));
  gateway = await startGateway({
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: simulator.baseUrl('openai'),
    AZURE_API_KEY: 'key',
    AZURE_BASE_URL: simulator.baseUrl('azure'),
    TALLYPORT_CONFIG: join(folder, 'tallyport.yaml'),
  });
});
afterAll(async () => {
  await gateway?.stop();
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

const model = 'gpt-realtime-2.1';
const openai = () => new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0 });

/** The SDK always asks for TLS, which a proxy has in front of a gateway. */
const plain = { createConnection: () => connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1') };

interface Ledger {
  month: { cost: string; requests: number };
}

async function paid(): Promise<{ cost: number; requests: number }> {
  const answer = await fetch(`${gateway.baseUrl}/v1/usage`, { headers: { authorization: `Bearer ${gateway.apiKey}` } });
  const { month } = (await answer.json()) as Ledger;
  return { cost: Number(month.cost), requests: month.requests };
}

const invoiced = (): number =>
  simulator.realtime.sessions
    .flatMap(({ billed }) => billed.map((usage) => Number(dollarsOfRealtime(usage))))
    .reduce((sum, dollars) => sum + dollars, 0);

test('the SDK holds a session of text and speech, and the ledger has what the vendor bills', async () => {
  const socket = new OpenAIRealtimeWS({ model, options: plain }, openai());
  const events: RealtimeServerEvent[] = [];
  socket.on('event', (event) => events.push(event));
  const responses = () => events.filter(({ type }) => type === 'response.done').length;
  await expect.poll(() => events.map(({ type }) => type)).toContain('session.created');
  for (let turn = 1; turn <= 3; turn += 1) {
    const content = [{ type: 'input_text' as const, text: `Turn ${turn}` }];
    socket.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
    socket.send({ type: 'response.create' });
    await expect.poll(responses).toBe(turn);
  }
  for (const byte of [1, 0]) {
    socket.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(19_200, byte).toString('base64') });
  }
  await expect.poll(responses).toBe(4);
  expect(new Set(events.map(({ type }) => type))).toContain('response.output_audio.delta');
  socket.close();
  await expect.poll(async () => (await paid()).requests).toBe(4);
  expect((await paid()).cost).toBeCloseTo(invoiced(), 12);
  expect(invoiced()).toBeGreaterThan(0);
});

test("the SDK's client for Azure holds a session at the deployment that the example of the docs adds", async () => {
  const { baseUrl: endpoint, apiKey } = gateway;
  const azure = new AzureOpenAI({ endpoint, apiKey, apiVersion: '2025-04-01-preview', deployment: `azure/${model}` });
  const before = await paid();
  const billedBefore = invoiced();
  const socket = await OpenAIRealtimeWS.azure(azure, { options: plain });
  const types: string[] = [];
  socket.on('event', ({ type }) => {
    if (type === 'session.created') socket.send({ type: 'response.create' });
    types.push(type);
  });
  await expect.poll(() => types).toContain('response.done');
  socket.close();
  expect(simulator.realtime.sessions.at(-1)).toMatchObject({ model: 'my-realtime', headers: { 'api-key': 'key' } });
  await expect.poll(async () => (await paid()).requests).toBe(before.requests + 1);
  expect((await paid()).cost - before.cost).toBeCloseTo(invoiced() - billedBefore, 12);
});

const transcript = 'conversation.item.input_audio_transcription.completed';
/** Of the simulator: 2.4 seconds, by the minute. */
const paidForTranscript = (3 * 0.0045) / 60;

test('the SDK holds a session that transcribes, and the ledger has what the vendor bills', async () => {
  const before = await paid();
  const socket = new OpenAIRealtimeWS({ intent: 'transcription', options: plain }, openai());
  const types: string[] = [];
  socket.on('event', ({ type }) => types.push(type));
  await expect.poll(() => types).toContain('session.created');
  const input = { transcription: { model: 'gpt-transcribe' }, turn_detection: null };
  socket.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
  socket.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(19_200, 1).toString('base64') });
  socket.send({ type: 'input_audio_buffer.commit' });
  await expect.poll(() => types).toContain(transcript);
  socket.close();
  await expect.poll(async () => (await paid()).requests).toBe(before.requests + 1);
  expect((await paid()).cost - before.cost).toBeCloseTo(paidForTranscript, 12);
});

test('a page of a browser transcribes with a secret that the SDK has made', async () => {
  const transcription = { model: 'gpt-transcribe' };
  const { value, session } = await openai().realtime.clientSecrets.create({
    session: { type: 'transcription', audio: { input: { transcription } } },
  });
  expect(session).toMatchObject({ object: 'realtime.transcription_session', audio: { input: { transcription } } });
  const protocols = ['realtime', `openai-insecure-api-key.${value}`];
  const socket = await connectSocket(gateway.baseUrl, '/v1/realtime?intent=transcription', { protocols });
  await socket.until('session.updated');
  socket.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(19_200, 1).toString('base64') });
  socket.send({ type: 'input_audio_buffer.commit' });
  await socket.until(transcript);
  socket.send({
    type: 'session.update',
    session: { type: 'transcription', audio: { input: { transcription: { model: 'whisper-1' } } } },
  });
  expect((await socket.next()).type).toBe('error');
  socket.webSocket.close();
});

test('the example of the docs prints what it heard', async () => {
  const [example] = blocksOf(page).filter(({ text }) => text.includes('intent=transcription'));
  const host = new URL(gateway.baseUrl).host;
  const program = (example?.text ?? '').replace('127.0.0.1:4000', host).replace('sk-tp-…', gateway.apiKey);
  await writeFile(join(folder, 'example.mjs'), program);
  await writeFile(join(folder, 'speech.pcm'), Buffer.alloc(48_000, 1));
  expect(await runToEnd(process.execPath, [join(folder, 'example.mjs')], { cwd: folder })).toBe('Hi.\n');
});

test('the Agents SDK holds a session of text', async () => {
  const agent = new RealtimeAgent({ name: 'Assistant', instructions: 'Be brief.' });
  const url = `${gateway.baseUrl.replace('http', 'ws')}/v1/realtime?model=openai/${model}`;
  const session = new RealtimeSession(agent, { transport: new OpenAIRealtimeWebSocket({ url }), model });
  const errors: unknown[] = [];
  session.on('error', ({ error }) => errors.push(error));
  const answered = new Promise<string>((resolve) => session.on('agent_end', (_context, _agent, text) => resolve(text)));
  await session.connect({ apiKey: gateway.apiKey });
  session.sendMessage('Hello');
  await answered;
  session.close();
  expect(errors).toEqual([]);
  expect(simulator.realtime.sessions.at(-1)?.received).toEqual(
    expect.arrayContaining(['session.update', 'conversation.item.create', 'response.create']),
  );
});

test('a page in Chromium holds a session with a secret, and no key', async () => {
  const { value: secret } = await openai().realtime.clientSecrets.create({ session: { type: 'realtime', model } });
  const site = createServer((_request, response) => response.end('<!doctype html><title>App</title>'));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const browser = await startChromium();
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
    const url = `${gateway.baseUrl.replace('http', 'ws')}/v1/realtime?model=${model}`;
    const { protocol, types } = await tab.evaluate(sessionOfPage, { url, secret });
    expect([protocol, types[0], types.at(-1)]).toEqual(['realtime', 'session.created', 'response.done']);
  } finally {
    await browser.close();
    site.close();
  }
});

/** Runs in the page: one response, with the events that it gets. */
function sessionOfPage({ url, secret }: { url: string; secret: string }) {
  return new Promise<{ protocol: string; types: string[] }>((resolve, reject) => {
    const types: string[] = [];
    const socket = new WebSocket(url, ['realtime', `openai-insecure-api-key.${secret}`]);
    socket.addEventListener('error', () => reject(new Error('The socket was refused.')));
    socket.addEventListener('message', ({ data }) => {
      const { type } = JSON.parse(String(data)) as { type: string };
      types.push(type);
      if (type === 'session.created') socket.send(JSON.stringify({ type: 'response.create' }));
      if (type !== 'response.done') return;
      socket.close();
      resolve({ protocol: socket.protocol, types });
    });
  });
}

test('the SDK reads the error of a model that does not exist', async () => {
  const socket = new OpenAIRealtimeWS({ model: 'gpt-realtime-0', options: plain }, openai());
  const error = await new Promise<Error>((resolve) => socket.on('error', resolve));
  expect(error).toMatchObject({ error: { code: 'model_not_found' } });
});

test('a page of a browser holds a session with its key as a subprotocol', async () => {
  const protocols = ['realtime', `openai-insecure-api-key.${gateway.apiKey}`];
  const socket = await connectSocket(gateway.baseUrl, `/v1/realtime?model=${model}`, { protocols });
  expect([(await socket.next()).type, socket.webSocket.protocol]).toEqual(['session.created', 'realtime']);
  socket.send({ type: 'response.create' });
  await socket.until('response.done');
  socket.webSocket.close();
});
