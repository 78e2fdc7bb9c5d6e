import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyLabel, type SimulatedVendors, startSimulator } from '@tallyport/simulator';
import { expect } from 'vitest';

export const adminKey = 'sk-admin-of-this-run-only';
/** The name of a model that did not pass the gateway. */
export const hostileName = '<img src=x onerror=alert(1)>';
export const today = new Date().toISOString().slice(0, 10);

const gatewayKey = 'sk-of-the-gateway';
/** The map of the vendor's names, which has the key of the installation. */
export const map = { keys: { [keyLabel(gatewayKey)]: '' } };

const prices = { tokens: { input: '1', output: '1000', reasoning: '1000' } };
const offered = (model: string): object => ({
  contextLength: 32_768,
  features: ['streaming', 'sampling'],
  offers: { openai: { model, pricing: { prompt: '0.000001', completion: '0.001' } } },
});

type BillLine = ReturnType<SimulatedVendors['bill']['lines']>[number];

const reported = (lines: readonly BillLine[]): BillLine[] =>
  lines.map((line) =>
    line.model === 'chat-tier'
      ? { ...line, tier: 'ultrafast', dollars: (Number(line.dollars ?? '0') * 2).toFixed(6) }
      : line,
  );

interface StartedGateway {
  baseUrl: string;
  apiKey: string;
  stop(): Promise<unknown>;
}

/** Starts a gateway whose ledger has requests of today, and a vendor whose bill has another tier, model and key. */
export async function startBilledGateway<Gateway extends StartedGateway>(
  start: (settings: Record<string, string>) => Promise<Gateway>,
  settings: Record<string, string> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'tallyport-billed-'));
  const config = join(folder, 'tallyport.yaml');
  const models = ['chat-equal', 'chat-tier'];
  await writeFile(config, JSON.stringify({ models: Object.fromEntries(models.map((name) => [name, offered(name)])) }));
  const priced = Object.fromEntries(models.map((name) => [name, prices]));
  const simulator = await startSimulator({ chunksPerSecond: 0, prices: { openai: priced }, reported });
  const gateway = await start({
    TALLYPORT_CONFIG: config,
    OPENAI_API_KEY: gatewayKey,
    OPENAI_BASE_URL: simulator.baseUrl('openai'),
    ...settings,
  });
  for (const model of models) await ask(gateway, model);
  const line = { day: today, vendor: 'openai', of: 'input', tier: 'default', geo: undefined, requests: 1 } as const;
  simulator.bill.add({ ...line, model: hostileName, key: keyLabel(gatewayKey), count: 9, dollars: '0.123456789' });
  simulator.bill.add({ ...line, model: 'chat-equal', key: 'key_other', count: 5, dollars: '0.25' });
  return {
    gateway,
    async stop() {
      await gateway.stop();
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ask({ baseUrl, apiKey }: StartedGateway, model: string): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: '[words:4] hello' }] }),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}
