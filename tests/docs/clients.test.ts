import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agents } from '../agents/agents.ts';
import { type Rig, startRig } from '../clients/rig.ts';
import { runToEnd } from '../support/run-to-end.ts';
import { clientsPage, type ExamplePlace, inPlace } from './client-examples.ts';
import { type Block, blocksOf } from './markdown.ts';

const root = join(import.meta.dirname, '../..');
const [ofModels = '', ofMcp = ''] = clientsPage.split(/^## MCP$/m);
const programs = blocksOf(ofModels).filter(({ language }) => language === 'js');
const settings = blocksOf(ofModels).filter(({ language }) => language !== 'js');
const hosts = blocksOf(ofMcp);

/** What hosts of MCP put in the place of a key. */
const keyPlaceholders = /\$\{(?:env:|input:)?(?:TALLYPORT_API_KEY|tallyport-key)\}/g;

const titleOf = ({ text }: Block): string => text.split('\n').find((line) => /[\w/]{4}/.test(line)) ?? text;
const titled = (blocks: readonly Block[]) =>
  blocks.map((block, at) => ({ block, title: `${at + 1}. ${titleOf(block)}` }));

describe('the examples of docs/clients.md', () => {
  let rig: Rig;
  let folder: string;
  let place: ExamplePlace;
  beforeAll(async () => {
    rig = await startRig();
    place = { origin: rig.gateway.baseUrl, apiKey: rig.gateway.apiKey };
    folder = await mkdtemp(join(tmpdir(), 'tallyport-clients-'));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const name of ['speech.mp3', 'rede.mp3']) await writeFile(join(folder, name), Buffer.alloc(16_000, 7));
  });
  afterAll(async () => {
    await rig?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('are of every kind', () => {
    expect([programs.length, hosts.length].map((count) => count >= 9)).toEqual([true, true]);
  });

  test.for(titled(programs))('$title runs, and its models answer', async ({ block }) => {
    const file = join(folder, 'example.mjs');
    await writeFile(file, inPlace(block.text, place));
    rig.simulator.reset();
    await runToEnd(process.execPath, [file], { cwd: folder });
    const named = [...block.text.matchAll(/model: '([^']+)'|(?:anthropic|google|openai)\('([^']+)'\)/g)];
    const asked = rig.simulator.requests.map(({ model = '' }) => model);
    const missing = named
      .map(([, one, other = '']) => one ?? other)
      .filter((name) => !asked.some((id) => id.endsWith(name)));
    expect({ missing, count: asked.length >= named.length }).toEqual({ missing: [], count: true });
  });

  test.for(titled(hosts))('$title names the server and the key with which it lists its tools', async ({ block }) => {
    const text = inPlace(block.text, place).replaceAll(keyPlaceholders, place.apiKey);
    const url = `${place.origin}/mcp`;
    expect(text).toContain(url);
    const isByVariable = /^bearer_token_env_var = "TALLYPORT_API_KEY"$/m.test(text);
    const [, authorization = ''] = /(Bearer sk-tp-[\w-]+)/.exec(text) ?? [];
    const header = isByVariable ? `Bearer ${place.apiKey}` : authorization;
    expect(await toolsAt(url, header)).toContain('generate-image');
  });

  test('for a shell in the part of MCP are run as they stand', async () => {
    const [curl] = hosts.filter(({ language, text }) => language === 'sh' && text.startsWith('curl'));
    const script = `curl() { command curl --silent --show-error --fail-with-body --max-time 20 "$@"; }\n${curl?.text}`;
    expect(await runToEnd('bash', ['-c', inPlace(script, place)])).toContain('"name":"generate-image"');
  });

  test('for the models that Claude Code discovers get what it reads', async () => {
    const answer = await fetch(`${place.origin}/v1/models?limit=1000`, {
      headers: { authorization: `Bearer ${place.apiKey}`, 'anthropic-version': '2023-06-01' },
    });
    const { data }: { data: { id: string; display_name: string }[] } = JSON.parse(await answer.text());
    const discovered = data.filter(({ id }) => /claude|anthropic/i.test(id));
    expect(discovered).toContainEqual(
      expect.objectContaining({ id: 'claude-sonnet-5-5', display_name: expect.any(String) }),
    );
  });

  // `npm run agents` runs the programs themselves with these settings.
  test('for coding agents are the settings with which the suite of agents runs', () => {
    const task = { home: '/home/user', prompt: 'Hi', isContinued: false, model: 'house-model' };
    const started = agents.map((agent) =>
      agent.start({ ...task, baseUrl: `${place.origin}/v1`, apiKey: place.apiKey }),
    );
    const used = started.map(({ files = {}, environment = {} }) =>
      [...Object.values(files), ...Object.values(environment)].join('\n'),
    );
    expect(used.filter((text) => !text.includes(place.origin))).toEqual([]);
    expect(settings.filter(({ text }) => !agentSettings.some((pattern) => pattern.test(text)))).toEqual([]);
  });
});

/** The settings that tests/agents/clients reads from this page. */
const agentSettings = [
  /^export (ANTHROPIC|CLAUDE_CODE|COPILOT|GOOGLE_GEMINI|OPENAI)_/m,
  /^model_provider = "tallyport"$/m,
  /"selectedType": "gemini-api-key"/,
  /"npm": "@ai-sdk\/openai-compatible"/,
  /^schema: v1$/m,
  /"api": "openai-completions"/,
];

async function toolsAt(url: string, authorization: string): Promise<string[]> {
  const client = new Client({ name: 'tallyport-tests', version: '1' });
  const requestInit = { headers: { authorization } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  try {
    const { tools } = await client.listTools();
    return tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}
