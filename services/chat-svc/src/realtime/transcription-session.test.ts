import type { Model, Principal } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';
import { asks, audio, connectRealtime, says, transcribesWith } from '../testing/realtime-client.ts';

const modelOf = (id: string, offers: Model['offers']): Model =>
  sharedModelEntry({ id, aliases: [], outputModalities: ['transcriptions'], offers });

const byTokens = { prompt: '0.001', audio_input: '0.002', completion: '0.003' };

const models = [
  sharedModelEntry({
    id: 'gpt-realtime',
    aliases: [],
    outputModalities: ['realtime'],
    offers: [offerOf('openai', { modelName: 'gpt-realtime', pricing: byTokens })],
  }),
  modelOf('no-sessions', [offerOf('groq', { modelName: 'no-sessions', pricing: { minute: '0.06' } })]),
  modelOf('unpriced', [offerOf('openai', { modelName: 'unpriced', pricing: {} })]),
  modelOf('whisper-1', [offerOf('openai', { modelName: 'whisper-1', pricing: { minute: '0.06' } })]),
  modelOf('gpt-4o-transcribe', [
    offerOf('openai', { modelName: 'gpt-4o-transcribe', pricing: byTokens, priority: 1 }),
    offerOf('azure', { modelName: 'gpt-4o-transcribe', pricing: { ...byTokens, completion: '0.004' }, priority: 0.1 }),
  ]),
  ...[1, 2, 3].map((count) =>
    modelOf(`more-${count}`, [offerOf('openai', { modelName: `more-${count}`, pricing: byTokens })]),
  ),
];

let bench: ChatBench;
beforeEach(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models },
    environment: ({ url }) => ({
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: `${url}/v1`,
      AZURE_API_KEY: 'key',
      AZURE_BASE_URL: `${url}/azure/openai/v1`,
      GROQ_API_KEY: 'key',
    }),
  });
});
afterEach(() => bench.close());

const principal: Principal = { accountId: 'acc', keyId: 'key' } as Principal;
const withBudget = (amount: string): Principal =>
  ({ ...principal, budgets: { key: { amount, period: 'total' } } }) as never;

const connect = (options: Parameters<typeof connectRealtime>[1] = {}) =>
  connectRealtime(bench, { principal, query: 'intent=transcription', ...options });

type Client = Awaited<ReturnType<typeof connect>>;

const transcript = 'conversation.item.input_audio_transcription.completed';

async function speak(client: Client): Promise<void> {
  client.send(audio(400));
  client.send({ type: 'input_audio_buffer.commit' });
  await client.until(transcript);
}

const recorded = () => bench.usage.map(({ operation, model, provider, cost }) => [operation, model, provider, cost]);

describe('a session that transcribes', () => {
  test('is paid for by the tokens or the seconds of each transcript, and for nothing else', async () => {
    const client = await connect();
    expect(await client.next()).toMatchObject({ type: 'session.created', session: { type: 'transcription' } });
    for (const model of ['gpt-4o-transcribe', 'whisper-1']) {
      client.send(transcribesWith(model, 'transcription'));
      await speak(client);
    }
    await speak(client);
    client.leave();
    await expect.poll(() => bench.usage.length).toBe(3);
    expect(recorded()).toEqual([
      ['transcription', 'gpt-4o-transcribe', 'openai', '0.017'],
      // 2.4 seconds each, of which the session pays 5.
      ['transcription', 'whisper-1', 'openai', '0.003'],
      ['transcription', 'whisper-1', 'openai', '0.002'],
    ]);
    expect(bench.simulator.realtime.sessions.map(({ model }) => model)).toEqual([undefined]);
  });

  test('takes the events of before general availability', async () => {
    const client = await connect({ headers: { 'openai-beta': 'realtime=v1' } });
    const session = { input_audio_transcription: { model: 'whisper-1' } };
    client.send({ type: 'transcription_session.update', session });
    await client.until('transcription_session.updated');
    await speak(client);
    await expect.poll(recorded).toEqual([['transcription', 'whisper-1', 'openai', '0.003']]);
  });

  test('of a model has no other one, and is opened where that is asked for', async () => {
    const client = await connect({ query: 'intent=transcription&model=azure/gpt-4o-transcribe' });
    await client.until('session.created');
    client.send(transcribesWith('more-1', 'transcription'));
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'invalid_parameters' } });
    client.send(transcribesWith('gpt-4o-transcribe', 'transcription'));
    await speak(client);
    await expect.poll(recorded).toEqual([['transcription', 'gpt-4o-transcribe', 'azure', '0.02']]);
  });

  test('has up to 4 models', async () => {
    const client = await connect();
    await client.until('session.created');
    for (const model of ['whisper-1', 'gpt-4o-transcribe', 'more-1', 'more-2']) {
      client.send(transcribesWith(model, 'transcription'));
      expect(await client.next()).toMatchObject({ type: 'session.updated' });
    }
    client.send(transcribesWith('more-3', 'transcription'));
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'invalid_parameters' } });
    client.send(transcribesWith('more-2', 'transcription'));
    expect(await client.next()).toMatchObject({ type: 'session.updated' });
  });

  test('whose budget ends is closed with an event, before more is spent', async () => {
    await expect(connect({ principal: withBudget('0.01') })).rejects.toMatchObject({ code: 'budget_exceeded' });
    const client = await connect({ principal: withBudget('0.122') });
    client.send(transcribesWith('whisper-1', 'transcription'));
    await speak(client);
    client.send(audio(400));
    expect((await client.until('error')).at(-1)).toMatchObject({ error: { code: 'budget_exceeded' } });
    expect(await client.closed()).toMatchObject({ code: 1008 });
    await expect
      .poll(() => recorded().filter(([, , provider]) => provider !== undefined))
      .toEqual([['transcription', 'whisper-1', 'openai', '0.003']]);
  });

  test.each([
    ['asks for a response', asks],
    ['adds a text', says('Hello')],
    ['makes it a session with responses', transcribesWith('whisper-1')],
    ['speaks before a model is named', audio(100)],
    ['names a model without a price', transcribesWith('unpriced', 'transcription')],
  ])('refuses an event that %s, and goes on', async (_, event) => {
    const client = await connect();
    await client.until('session.created');
    client.send(event);
    expect(await client.next()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect(bench.simulator.realtime.sessions[0]?.received).toEqual([]);
    client.send(transcribesWith('whisper-1', 'transcription'));
    await speak(client);
  });

  test.each([
    ['a provider without such sessions', 'no-sessions', 'unsupported_capability'],
    ['a price that is not known', 'unpriced', 'unsupported_capability'],
    ['a model that does not transcribe', 'gpt-realtime', 'unsupported_capability'],
    ['an unknown model', 'nothing', 'model_not_found'],
  ])('with %s is refused, with a record', async (_, model, code) => {
    const query = `intent=transcription&model=${model}`;
    await expect(connect({ query })).rejects.toMatchObject({ code });
    await expect
      .poll(() => bench.usage.map(({ operation, error }) => [operation, error]))
      .toEqual([['transcription', code]]);
    expect(bench.simulator.realtime.sessions).toEqual([]);
  });

  test('is refused if the caller may use no model for it', async () => {
    const other = { ...principal, allowedModels: ['no-sessions'] } as Principal;
    await expect(connect({ principal: other })).rejects.toMatchObject({ code: 'unsupported_capability' });
  });
});
