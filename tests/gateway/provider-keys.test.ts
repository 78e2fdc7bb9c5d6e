import { basePathOf, type Simulator, startSimulator } from '@tallyport/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OneProcess, startOneProcess } from './one-process.ts';

// Processes: what the program prints at its start.

describe('npm start with provider keys', () => {
  let simulator: Simulator;
  let gateway: OneProcess;
  beforeAll(async () => {
    simulator = await startSimulator({ apiKeys: ['good'] });
    gateway = await startOneProcess({
      OPENAI_API_KEY: 'good',
      OPENAI_BASE_URL: simulator.url + basePathOf('openai'),
      MISTRAL_API_KEY: 'wrong',
      MISTRAL_BASE_URL: simulator.url + basePathOf('mistral'),
      XAI_API_KEY: 'good',
      XAI_BASE_URL: 'http://127.0.0.1:1',
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await simulator.close();
  });

  const ask = async (model: string): Promise<[number, string | undefined]> => {
    const response = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    const { error } = (await response.json()) as { error?: { message: string } };
    return [response.status, error?.message];
  };

  test('prints after the welcome text what each provider says about its key', async () => {
    await expect
      .poll(() => gateway.output())
      .toContain(
        [
          '  Provider keys',
          '    mistral: key refused: check MISTRAL_API_KEY',
          '    openai: key works',
          '    xai: not reachable',
          '',
        ].join('\n'),
      );
  });

  test('logs the same in one line', () => {
    const lines = gateway.output().match(/^\{.*"message":"provider keys tested.*\}$/gm) ?? [];
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'warn',
        providers: { mistral: 'refused', openai: 'works', xai: 'unreachable' },
        check: ['MISTRAL_API_KEY'],
      },
    ]);
  });

  test('names a model in its example that can be called', async () => {
    const [, model = ''] = /-d '\{"model":"([^"]+)"/.exec(gateway.output()) ?? [];
    const catalogue = await fetch(`${gateway.baseUrl}/v1/models/${model}`);
    expect([model.includes('<'), catalogue.status]).toEqual([false, 200]);
  });

  test('says why there are no simulated models, and so does a request for one', async () => {
    expect(gateway.output()).toContain(
      'Simulated models are off because a provider key is set; SANDBOX=on keeps them.',
    );
    expect(await ask('sandbox-chat')).toEqual([
      404,
      "There is no model 'sandbox-chat': the simulated models are off because a provider key is set (or by SANDBOX=off). SANDBOX=on keeps them.",
    ]);
  });
});
