import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GoogleGenAI, type LiveConnectConfig, type LiveServerMessage, Modality, type Session } from '@google/genai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type SimulatedVendors } from '../../packages/simulator/src/index.ts';
import { createAdminKey } from '../docs/admin-key.ts';
import { inPlace } from '../docs/client-examples.ts';
import { blocksOf } from '../docs/markdown.ts';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { runToEnd } from '../support/run-to-end.ts';

/** Tests `live.connect` of Google's SDK for JavaScript through the whole gateway. */
const root = join(import.meta.dirname, '../..');
const model = 'gemini-3.8-live';

let gateway: Gateway;
let simulator: SimulatedVendors;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0 });
  gateway = await startGateway({ GEMINI_API_KEY: 'key', GEMINI_BASE_URL: simulator.baseUrl('google') });
});
afterAll(async () => {
  await gateway.stop();
  await simulator.close();
});

interface Connected {
  session: Session;
  messages: LiveServerMessage[];
  turns(): number;
  closed: Promise<{ code: number; reason: string }>;
}

interface Connection {
  key?: string;
  model?: string;
  config?: LiveConnectConfig;
}

async function connect({ key = gateway.apiKey, config, ...named }: Connection = {}): Promise<Connected> {
  const headers = { 'x-goog-api-key': key };
  const client = new GoogleGenAI({ apiKey: '', httpOptions: { baseUrl: gateway.baseUrl, headers } });
  const messages: LiveServerMessage[] = [];
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  const session = await client.live.connect({
    model,
    ...named,
    config: { responseModalities: [Modality.AUDIO], ...config },
    callbacks: {
      onmessage: (message) => messages.push(message),
      onclose: ({ code, reason }) => closed.resolve({ code, reason }),
    },
  });
  const turns = (): number => messages.filter(({ serverContent }) => serverContent?.turnComplete).length;
  return { session, messages, turns, closed: closed.promise };
}

const pcm = (byte: number) => ({
  audio: { mimeType: 'audio/pcm;rate=16000', data: Buffer.alloc(6_400, byte).toString('base64') },
});

async function paid(key = gateway.apiKey): Promise<{ cost: number; requests: number }> {
  const answer = await fetch(`${gateway.baseUrl}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
  const { month } = (await answer.json()) as { month: { cost: string; requests: number } };
  return { cost: Number(month.cost), requests: month.requests };
}

/** By the vendor's list of prices per million tokens. */
function invoiced(): number {
  const usages = simulator.realtime.liveSessions.flatMap(({ billed }) => billed);
  return usages.reduce((sum, usage) => {
    const audioIn = usage.promptTokensDetails.find(({ modality }) => modality === 'AUDIO')?.tokenCount ?? 0;
    const audioOut = usage.responseTokensDetails.find(({ modality }) => modality === 'AUDIO')?.tokenCount ?? 0;
    const written = usage.responseTokenCount - audioOut + usage.thoughtsTokenCount;
    return sum + ((usage.promptTokenCount - audioIn) * 0.75 + audioIn * 3 + written * 4.5 + audioOut * 12) / 1e6;
  }, 0);
}

test('the SDK holds a session of text, speech and functions, and the ledger has what the vendor bills', async () => {
  const weather = { name: 'weather', parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } } } };
  const { session, messages, turns } = await connect({
    config: {
      systemInstruction: 'Be brief.',
      tools: [{ functionDeclarations: [weather] }] as LiveConnectConfig['tools'],
      sessionResumption: {},
      outputAudioTranscription: {},
    },
  });
  for (let turn = 1; turn <= 2; turn += 1) {
    session.sendClientContent({ turns: `Turn ${turn}` });
    await expect.poll(turns).toBe(turn);
  }
  session.sendClientContent({ turns: '[tool]' });
  await expect.poll(() => messages.flatMap(({ toolCall }) => toolCall?.functionCalls ?? [])).toHaveLength(1);
  session.sendToolResponse({ functionResponses: [{ id: 'call_1', name: 'weather', response: { sky: 'grey' } }] });
  await expect.poll(turns).toBe(3);
  session.sendRealtimeInput(pcm(1));
  session.sendRealtimeInput(pcm(0));
  await expect.poll(turns).toBe(4);
  session.sendRealtimeInput({ text: '[hold]' });
  session.sendRealtimeInput(pcm(1));
  await expect.poll(() => messages.some(({ serverContent }) => serverContent?.interrupted)).toBe(true);
  session.close();
  expect(messages.some(({ data }) => data !== undefined)).toBe(true);
  expect(messages.some(({ sessionResumptionUpdate }) => sessionResumptionUpdate?.newHandle)).toBe(true);
  await expect.poll(async () => (await paid()).requests).toBe(6);
  expect((await paid()).cost).toBeCloseTo(invoiced(), 12);
  expect(invoiced()).toBeGreaterThan(0);
});

test('a budget that ends closes the session with a reason that the SDK reports', async () => {
  const admin = await createAdminKey(gateway);
  const made = await fetch(`${gateway.baseUrl}/api/v1/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'live', budget: { amount: '0.03', period: 'total' } }),
  });
  const { key } = (await made.json()) as { key: string };
  const { session, turns, closed } = await connect({ key });
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  for (let turn = 1; turn <= 100 && !isClosed; turn += 1) {
    session.sendClientContent({ turns: 'Hello' });
    await expect.poll(() => isClosed || turns() >= turn).toBe(true);
  }
  expect(await closed).toMatchObject({ code: 1008, reason: expect.stringMatching(/budget/i) });
  expect((await paid(key)).cost).toBeLessThanOrEqual(0.03);
});

describe('the SDK reports', () => {
  test('why a model has no session', async () => {
    await expect(connect({ model: 'gemini-0-live' })).rejects.toThrow(/code 1008.*gemini-0-live/);
  });

  test('that a tool with a price of its own is refused', async () => {
    await expect(connect({ config: { tools: [{ googleSearch: {} }] } })).rejects.toThrow(/code 1007.*googleSearch/);
  });

  test('that a key in the address is refused', async () => {
    const client = new GoogleGenAI({ apiKey: gateway.apiKey, httpOptions: { baseUrl: gateway.baseUrl } });
    const connecting = client.live.connect({ model, callbacks: { onmessage: () => undefined } });
    await expect(connecting).rejects.toThrow(/Unexpected server response: 400/);
  });
});

test('the example of the documentation runs as it stands', async () => {
  const page = readFileSync(join(root, 'docs/realtime.md'), 'utf8');
  const [example] = blocksOf(page).filter(({ text }) => text.includes('live.connect'));
  const folder = await mkdtemp(join(tmpdir(), 'tallyport-live-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'example.mjs');
  await writeFile(file, inPlace(example?.text ?? '', { origin: gateway.baseUrl, apiKey: gateway.apiKey }));
  expect(await runToEnd(process.execPath, [file], { cwd: folder })).toContain('word');
  await rm(folder, { recursive: true });
});
