import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { routesCommand } from '../../scripts/routes/command.ts';
import { commands } from '../../scripts/launch/commands.mjs';
import { blockAfter, documents } from './markdown.ts';
import { problemsOf } from '../structure/workflows.ts';

const guide = documents().find(({ path }) => path === 'docs/routing.md')?.text ?? '';
const cases = parse(blockAfter(guide, 'cases.yaml'));

describe('docs/routing.md', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'routes-'));
    await writeFile(join(folder, 'gateway.yaml'), blockAfter(guide, 'gateway.yaml'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function run(text: string) {
    const file = join(folder, 'cases.yaml');
    await writeFile(file, text);
    let [out, problems] = ['', ''];
    const code = await routesCommand(['test', file], {
      out: (text) => (out += text),
      problem: (text) => (problems += text),
    });
    return { code, out, problems };
  }

  test('its cases hold', async () => {
    const names = Object.keys(cases.cases);
    expect(await run(blockAfter(guide, 'cases.yaml'))).toEqual({
      code: 0,
      out: [...names.map((name) => `ok    ${name}\n`), `\n${names.length} cases, 0 failed.\n`].join(''),
      problems: '',
    });
  });

  const twoModels = (first: string, second: string) => ({
    targets: [{ model: first }],
    then: [second],
    when: [{ if: 'request.api == "chat" || request.tokens > 5000', use: [second] }],
  });
  test.each<[string, readonly [string, string], object]>([
    ['/v1/embeddings', ['text-embedding-3-small', 'gemini-embedding-001'], { input: 'Hello', dimensions: 256 }],
    [
      '/v1beta/models/route:embedContent',
      ['text-embedding-3-small', 'gemini-embedding-001'],
      { content: { parts: [{ text: 'Hello' }] }, outputDimensionality: 256 },
    ],
    ['/v1/moderations', ['omni-moderation-latest', 'mistral-moderation-latest'], { input: 'Hello' }],
    ['/v1/images/generations', ['gpt-image-2', 'gpt-image-2.6-sunburst'], { prompt: 'A lamp' }],
    [
      '/v1/images/edits',
      ['gpt-image-2', 'gpt-image-2.6-sunburst'],
      { prompt: 'Blue', images: [{ image_url: 'https://a.b/c.png' }] },
    ],
    ['/v1/audio/speech', ['orpheus-v1-english', 'sandbox-speech'], { input: 'Hello', voice: 'alloy' }],
    ['/v1/audio/transcriptions', ['gpt-4o-transcribe', 'whisper-1'], {}],
    ['/v1/responses', ['gpt-6-luna', 'claude-haiku-4-5'], { input: 'Hello' }],
    ['/v1/completions', ['gpt-6-luna', 'claude-haiku-4-5'], { prompt: 'Hello' }],
    [
      '/v1beta/models/route:generateContent',
      ['gpt-6-luna', 'claude-haiku-4-5'],
      { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    ],
  ])('cases may be requests of %s', async (path, models, body) => {
    const [first, second] = models;
    const accounts = { default: { routes: { route: twoModels(first, second) } } };
    await writeFile(
      join(folder, 'every-api.yaml'),
      JSON.stringify({ apiVersion: 'tallyport/v1', kind: 'Gateway', accounts }),
    );
    const request = path.includes('/models/') ? body : { ...body, model: 'route' };
    const planned = { path, request };
    const text = JSON.stringify({
      gateway: 'every-api.yaml',
      cases: {
        planned: { ...planned, expect: { models: [first, second] } },
        down: { ...planned, down: [first], expect: { models: [second, first] } },
        'passed over': {
          ...planned,
          allowedModels: [second],
          expect: { models: [second], passedOver: { [first]: 'may not use' } },
        },
      },
    });
    expect(await run(text)).toEqual({
      code: 0,
      out: 'ok    planned\nok    down\nok    passed over\n\n3 cases, 0 failed.\n',
      problems: '',
    });
  });

  test('a case has the tags of its account', async () => {
    const when = [{ if: '"enterprise" in account.tags', use: ['claude-sonnet-5'] }];
    const accounts = { default: { routes: { tagged: { targets: [{ model: 'gpt-6-luna' }], when } } } };
    const document = { apiVersion: 'tallyport/v1', kind: 'Gateway', accounts };
    await writeFile(join(folder, 'tagged.yaml'), JSON.stringify(document));
    const ofTags = (accountTags: string[] | undefined, ...models: string[]) => ({
      request: 'tagged',
      accountTags,
      expect: { models },
    });
    const tagged = {
      with: ofTags(['eu', 'enterprise'], 'claude-sonnet-5'),
      without: ofTags(undefined, 'gpt-6-luna'),
    };
    const { code } = await run(JSON.stringify({ gateway: 'tagged.yaml', cases: tagged }));
    expect(code).toBe(0);
  });

  test.each([
    [undefined, ['novita', 'groq']],
    [{ uptime: 1, throughput: 0, price: 0, latency: 0 }, ['groq', 'novita']],
  ])('a case has the weights %j of its account', async (scoreWeights, order) => {
    const accounts = { default: { settings: scoreWeights ? { scoreWeights } : {} } };
    const document = { apiVersion: 'tallyport/v1', kind: 'Gateway', accounts };
    await writeFile(join(folder, 'weighed.yaml'), JSON.stringify(document));
    const offers = order.map((provider) => `${provider}/gpt-oss-120b`);
    const weighed = { request: 'gpt-oss-120b', expect: { offers } };
    const { out } = await run(JSON.stringify({ gateway: 'weighed.yaml', providers: order, cases: { weighed } }));
    expect(out).toBe('ok    weighed\n\n1 cases, 0 failed.\n');
  });

  test('a case that differs is printed with what decided', async () => {
    const differing = { request: 'support', conversation: 'ada', expect: { models: ['claude-haiku-4-5'] } };
    const { code, out } = await run(JSON.stringify({ ...cases, cases: { wrong: differing } }));
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('expected models  claude-haiku-4-5\n') });
    expect(out).toContain('budget.left < 1.0 is false');
    expect(out).toContain('gpt-6-luna: weight');
    expect(out).toContain('1 cases, 1 failed.');
  });

  test.each([
    ['{', /^\S+cases\.yaml:1: /],
    ['{}', /gateway/],
    [JSON.stringify({ ...cases, gateway: 'none.yaml' }), /none\.yaml: cannot be read/],
    [JSON.stringify({ ...cases, account: 'other' }), /has no account 'other'/],
    [JSON.stringify({ ...cases, catalogue: 'gateway.yaml' }), /gateway\.yaml:1: apiVersion: is not a known member/],
    [JSON.stringify({ ...cases, cases: {} }), /must have a case/],
    [
      JSON.stringify({ ...cases, cases: { x: { request: 'support', expect: {} } } }),
      /cases\.x\.expect: must have models/,
    ],
    [JSON.stringify({ ...cases, cases: { x: { request: {}, tokens: 5, expect: { error: 'x' } } } }), /only a name/],
  ])('the file %s cannot be used', async (text, problem) => {
    expect(await run(text)).toEqual({ code: 2, out: '', problems: expect.stringMatching(problem) });
  });

  test('its workflow is one, and runs a command of this project', async () => {
    const workflow = blockAfter(guide, '.github/workflows/routes.yaml');
    expect(await problemsOf('.github/workflows/routes.yaml', workflow)).toEqual([]);
    const { steps } = parse(workflow).jobs.test;
    const lines: string[] = steps.flatMap(({ run: line = [] }) => line);
    expect(lines).toEqual(['npm run routes -- test ../config/cases.yaml']);
    expect(Object.keys(commands)).toContain('routes');
  });
});
