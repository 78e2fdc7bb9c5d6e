import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulator, startSimulator } from '@tallyport/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pixelsOf } from '../images/image-bytes.ts';
import { type Gateway, startGateway } from './in-process.ts';

/** What the interface says about lists, prices and images, asked over HTTP and MCP. One vendor has a key. */
let simulator: Simulator;
let gateway: Gateway;
let uploads: string;

beforeAll(async () => {
  simulator = await startSimulator();
  uploads = await mkdtemp(join(tmpdir(), 'interface-uploads-'));
  gateway = await startGateway({
    OPENAI_API_KEY: 'key-of-the-test',
    OPENAI_BASE_URL: simulator.baseUrl('openai'),
    SANDBOX: 'on',
    MCP_PREVIEW_MODEL: 'sandbox-image',
    UPLOAD_DIR: uploads,
  });
});
afterAll(async () => {
  await gateway?.stop();
  await simulator.close();
  await rm(uploads, { recursive: true, force: true });
});

async function ask(path: string, body?: object) {
  const response = await fetch(gateway.baseUrl + path, {
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function rpc(method: string, params: object) {
  const { body } = await ask('/mcp', { jsonrpc: '2.0', id: 1, method, params });
  return (body as { result: Record<string, unknown> }).result;
}

interface ToolResult {
  content: { type: string; text?: string }[];
  structuredContent?: { models: Listed[] };
}

const callTool = (name: string, input: object = {}) =>
  rpc('tools/call', { name, arguments: input }) as unknown as Promise<ToolResult>;

interface Listed {
  id: string;
  stability: string;
  pricing: Record<string, string>;
  providers: { providerId: string; pricing: Record<string, string> }[];
}

async function recordsOf(query: string): Promise<Listed[]> {
  const { body } = await ask(`/v1/models?${query}`);
  return (body as { data: Listed[] }).data;
}

const idsOf = (models: readonly { id: string }[]): string[] => models.map(({ id }) => id);

test('exclude_deprecated leaves out the models whose stability is deprecated, in both lists', async () => {
  const all = await recordsOf('');
  const current = all.filter(({ stability }) => stability !== 'deprecated');
  expect(current.length).toBeLessThan(all.length);
  expect(idsOf(await recordsOf('exclude_deprecated=true'))).toEqual(idsOf(current));
  const { structuredContent } = await callTool('list-models', { exclude_deprecated: true, limit: 1000 });
  const stabilities = new Set(structuredContent?.models.map(({ stability }) => stability));
  expect([stabilities.has('stable'), stabilities.has('deprecated')]).toEqual([true, false]);
});

const tokens = ['prompt', 'completion', 'input_cache_read', 'input_cache_write', 'internal_reasoning'];
const eightPrices = [...tokens, 'image', 'request', 'web_search'];

test('every record with a known price has all eight prices as text, and its providers have theirs', async () => {
  const records = await recordsOf('include_unavailable=true&include_deactivated=true');
  const isPriced = ({ pricing }: Pick<Listed, 'pricing'>) => Object.values(pricing).some((each) => each !== '-1');
  const priced = records.filter(isPriced);
  expect(priced.length).toBeGreaterThan(150);
  const price = expect.stringMatching(/^\d+(\.\d+)?$/);
  const eight = Object.fromEntries(eightPrices.map((member) => [member, price]));
  for (const { id, pricing } of priced) expect({ id, pricing }).toMatchObject({ id, pricing: eight });
  const three = { prompt: price, completion: price, image: price };
  for (const { id, providers } of records)
    for (const entry of providers.filter(isPriced)) expect({ id, ...entry }).toMatchObject({ id, pricing: three });
});

test('the first model of list-image-models is the default of generate-image, as its description says', async () => {
  const { tools } = (await rpc('tools/list', {})) as unknown as { tools: { name: string; description: string }[] };
  expect(tools.find(({ name }) => name === 'generate-image')?.description).toContain(
    'Without a model it uses qwen-image-plus if that can be called, otherwise the first model that list-image-models lists.',
  );
  const [list] = (await callTool('list-image-models')).content;
  const [first] = list?.text?.match(/(?<=\*\*Model ID:\*\* `).*(?=`)/) ?? [];
  const made = await callTool('generate-image', { prompt: 'a lake' });
  expect(made.content.at(-1)?.text).toBe(`1 image by openai/${first}, 1024x1024.`);
});

test('auto without its model names what can be called', async () => {
  const { status, body } = await ask('/v1/images/generations', { prompt: 'a lake' });
  const { error } = body as { error: { message: string; param: string } };
  expect([status, error.param]).toEqual([400, 'model']);
  expect(error.message).toMatch(/^No provider of 'gemini-3-pro-image-preview' .* can be called: gpt-image-2/);
});

test('an image has the requested pixels and style, and the response says how', async () => {
  const wanted = { model: 'gpt-image-2', prompt: 'a lake', size: '1920x1080', style: 'vivid' };
  const { status, body } = await ask('/v1/images/generations', wanted);
  const { data, metadata } = body as { data: { b64_json: string }[]; metadata: { images: object[]; style: object } };
  const pixels = pixelsOf(Buffer.from(data[0]?.b64_json ?? '', 'base64'));
  expect([status, pixels, metadata.images, metadata.style]).toEqual([
    200,
    [1920, 1080],
    [{ requested_size: '1920x1080', size: '1920x1080', made_size: '1920x1088', cropped_size: '1920x1080' }],
    { requested: 'vivid', applied_as: 'sentence' },
  ]);
});

test('a preview of the only account is saved directly in UPLOAD_DIR', async () => {
  const saved = async () =>
    (await callTool('generate-preview-image', { prompt: 'a lake', filename: 'lake.png' })).content.at(-1)?.text;
  expect(await saved()).toMatch(/ Saved as lake\.png\.$/);
  expect(await readdir(uploads)).toEqual(['lake.png']);
});

test('a skipped health check is not connected and does not count', async () => {
  const { status, body } = await ask('/?skip=redis');
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      health: {
        status: 'ok',
        redis: { connected: false, error: 'not checked, because the request skips it' },
        database: { connected: true },
        nats: { connected: true },
        services: { connected: true },
      },
    }),
  ]);
});

test('the uptime of every offer lies between its bounds', async () => {
  const { body } = await ask('/v1/providers');
  const { data } = body as { data: { uptime: Record<'ratio' | 'expected' | 'lower' | 'upper', number> }[] };
  expect(data.length).toBeGreaterThan(100);
  for (const { uptime } of data) {
    expect(uptime.expected).toBeGreaterThanOrEqual(uptime.lower);
    expect(uptime.expected).toBeLessThanOrEqual(uptime.upper);
  }
});
