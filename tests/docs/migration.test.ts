import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basePathOf, type SimulatedVendors, startSimulator } from '@tallyport/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { importCommand } from '../../scripts/import/command.ts';
import { runApply } from '../apply/apply.ts';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { createAdminKey } from './admin-key.ts';
import { blockAfter, documents } from './markdown.ts';

const guide = documents().find(({ path }) => path === 'docs/migration.md')?.text ?? '';

const dump = `COPY public."LiteLLM_TeamTable" (team_id, team_alias, models, max_budget, budget_duration) FROM stdin;
t-1\tSearch\t{support}\t500\t30d
\\.
COPY public."LiteLLM_VerificationToken" (token, key_alias, team_id, models, rpm_limit) FROM stdin;
88dc28d0f030c55ed4ab77ed8faf098196cb1c05\twebsite\tt-1\t{}\t120
\\.
`;

describe('docs/migration.md', () => {
  let folder: string;
  let vendors: SimulatedVendors;
  let gateway: Gateway;
  let printed = '';
  const inFolder = (name: string) => join(folder, name);

  async function run(...words: string[]): Promise<number> {
    printed = '';
    const keep = (text: string) => (printed += text);
    return importCommand(words, { out: keep, problem: keep, environment: {} });
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'migration-'));
    vendors = await startSimulator({ apiKeys: ['sk-of-a-vendor'], chunksPerSecond: 0 });
    await writeFile(inFolder('tallyport.yaml'), '');
    gateway = await startGateway({
      TALLYPORT_CONFIG: inFolder('tallyport.yaml'),
      OPENAI_BASE_URL: vendors.url + basePathOf('openai'),
      ANTHROPIC_BASE_URL: vendors.url + basePathOf('anthropic'),
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await vendors?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const apply = async (file: string, ...words: string[]) =>
    runApply([file, '--url', gateway.baseUrl, ...words], {
      ADMIN_KEY: (adminKey ??= await createAdminKey(gateway)),
      OPENAI_API_KEY: 'sk-of-a-vendor',
      ANTHROPIC_API_KEY: 'sk-of-a-vendor',
      OPENAI_PROD_KEY: 'sk-of-a-vendor',
      ANTHROPIC_PROD_KEY: 'sk-of-a-vendor',
    });
  let adminKey: string | undefined;

  /** The models that the gateway knows with a key. */
  async function modelsOf(key: string | undefined): Promise<string[]> {
    const response = await fetch(`${gateway.baseUrl}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    const { data: models } = (await response.json()) as { data: { id: string }[] };
    return models.map(({ id }) => id);
  }

  test('the example of LiteLLM becomes two files that the gateway accepts', async () => {
    await writeFile(inFolder('config.yaml'), blockAfter(guide, 'config.yaml'));
    await writeFile(inFolder('litellm.sql'), dump);
    const code = await run(
      'litellm',
      inFolder('config.yaml'),
      '--keys',
      inFolder('litellm.sql'),
      '--to',
      inFolder('imported'),
    );
    expect({ code, printed }).toMatchObject({
      code: 0,
      printed: expect.stringContaining('config.yaml:7 model_list.2.litellm_params.timeout'),
    });
    const document = inFolder('imported/gateway.yaml');
    const { routes, keys, projects } = parse(await readFile(document, 'utf8')).accounts.default;
    expect({ routes }).toEqual(parse(blockAfter(guide, 'imported')));
    expect({ keys, projects }).toEqual({
      keys: {
        website: {
          project: 'Search',
          allowedModels: ['support', 'openai/gpt-5.4-mini', 'anthropic/claude-haiku-4-5', 'house-model'],
          limits: { requestsPerMinute: { chat: 120, images: 120 } },
        },
      },
      projects: { Search: { budget: { amount: '500', period: 'month' } } },
    });

    const catalogue = await readFile(inFolder('imported/tallyport.yaml'), 'utf8');
    await writeFile(
      inFolder('tallyport.yaml'),
      catalogue.replace('http://10.0.0.7:8000/v1', vendors.url + basePathOf('vllm')),
    );
    await expect.poll(() => modelsOf(gateway.apiKey)).toContain('house-model');
    expect(await apply(document, '--plan')).toMatchObject({ code: 2, problems: '' });
    expect(await apply(document, '--secrets-to', inFolder('created.yaml'))).toMatchObject({ code: 0, problems: '' });
    expect(await apply(document, '--plan')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing to change.'),
    });
  });

  test('an imported key is answered through the imported routes', async () => {
    const created = parse(await readFile(inFolder('created.yaml'), 'utf8')).stringData;
    const ask = async (model: string) => {
      const response = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${created['default.key.website']}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
      });
      return { status: response.status, model: response.headers.get('x-tallyport-model') };
    };
    expect(await ask('support')).toEqual({
      status: 200,
      model: expect.stringMatching(/^(?:openai\/gpt-5\.4-mini|anthropic\/claude-haiku-4-5)$/),
    });
    expect(await ask('gpt-5.5')).toMatchObject({ status: 403 });
  });

  test('the example of Portkey becomes a document that the gateway accepts', async () => {
    await writeFile(inFolder('support.json'), blockAfter(guide, 'support.json', 'json'));
    const code = await run('portkey', inFolder('support.json'), '--to', inFolder('from-portkey'));
    expect({ code, printed }).toMatchObject({ code: 0, printed: expect.stringContaining('OPENAI_PROD_KEY') });
    const document = inFolder('from-portkey/gateway.yaml');
    const { routes } = parse(await readFile(document, 'utf8')).accounts.default;
    expect({ routes }).toEqual(parse(blockAfter(guide, 'imported from Portkey')));
    expect(await apply(document)).toMatchObject({ code: 0, problems: '' });
  });

  test('a second import changes no file, and a file that cannot be read is named', async () => {
    const words = [inFolder('config.yaml'), '--to', inFolder('imported')];
    expect([await run('litellm', ...words), printed]).toEqual([
      1,
      `${inFolder('imported/gateway.yaml')} exists. Name another folder with --to.\n`,
    ]);
    expect([await run('litellm', inFolder('none.yaml')), printed]).toEqual([
      1,
      expect.stringContaining('none.yaml: cannot be read'),
    ]);
    expect([await run('kong', 'x'), printed]).toEqual([1, expect.stringContaining('Usage: npm run import')]);
  });
});
