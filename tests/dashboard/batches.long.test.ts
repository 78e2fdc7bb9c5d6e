import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilFound } from '../support/probe.ts';
import { createKey, operator } from '../../services/auth-svc/src/keys/create-key.ts';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { complaints, takePicture } from '../support/pages.ts';
import { openOwner, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src, services/batch-svc/src/management.

const endpoint = '/v1/chat/completions';
const hostileId = '<img src=x onerror=alert(1)>';
const lineOf = (id: string, body: object) =>
  JSON.stringify({ custom_id: id, method: 'POST', url: endpoint, body: { model: 'sandbox-chat', ...body } });
const messages = [{ role: 'user', content: 'Hello' }];
const phone = { width: 390, height: 844 };

describe('the pages about batches', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let owner: Visitor;
  let folder: string;
  let client: OpenAI;
  let ended: OpenAI.Batch;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallyport-files-'));
    [gateway, browser] = await Promise.all([startOneOAuthGateway({ FILES_DIR: folder }), startChromium()]);
    owner = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true, bypassCSP: true });
    client = new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function create(lines: readonly string[], by = client): Promise<OpenAI.Batch> {
    const file = await toFile(Buffer.from(lines.join('\n')), 'lines.jsonl');
    const input = await by.files.create({ file, purpose: 'batch' });
    return by.batches.create({ input_file_id: input.id, endpoint, completion_window: '24h' });
  }

  /** Lines beyond the limit of their key wait. */
  async function slowClient(): Promise<OpenAI> {
    const { key } = await createKey(gateway.database, operator, { name: 'slow', limits: { tokensPerMinute: 1 } });
    return client.withOptions({ apiKey: key });
  }

  const until = ({ id }: OpenAI.Batch, isReached: (batch: OpenAI.Batch) => boolean) =>
    untilFound(async () => [await client.batches.retrieve(id)].find(isReached));

  async function look(name: string): Promise<void> {
    const { page } = owner;
    const wide = page.viewportSize() ?? phone;
    for (const [width, size] of Object.entries({ wide, phone })) {
      await page.setViewportSize(size);
      expect(await complaints(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await takePicture(page, `${name}-${width}`);
    }
    await page.setViewportSize(wide);
  }

  test('say how to create one while there is none', async () => {
    await owner.go('overview');
    await owner.follow('Batches');
    expect(await owner.page.getByText('POST /v1/batches and POST /v1/messages/batches create them.').count()).toBe(1);
    await look('batches-empty');
  });

  test('list a batch with its progress, its cost, and how many lines failed', async () => {
    const lines = Array.from({ length: 4 }, (_, at) => lineOf(`line-${at}`, { messages }));
    ended = await until(await create([...lines, lineOf(hostileId, {})]), ({ status }) => status === 'completed');
    await owner.go('batches');
    expect(await owner.rows('Batches')).toEqual([
      [
        expect.stringMatching(/^sandbox-chat \/v1\/chat\/completions \d{4}-.* \d\d:\d\d/),
        'completed',
        '5 of 5 lines',
        '1',
        '$0',
        expect.stringMatching(/\d\d:\d\d/),
      ],
    ]);
    await look('batches');
  });

  test('show why lines failed, by their ids', async () => {
    await owner.follow('sandbox-chat');
    expect(await owner.heading()).toBe('sandbox-chat');
    expect(await owner.rows('Failed lines')).toEqual([[hostileId, '400', expect.stringContaining('messages')]]);
    expect(await owner.page.locator('main img').count()).toBe(0);
    expect(await owner.page.getByText('of 5 lines that have ended').count()).toBe(1);
    expect(await owner.page.getByText('as reserved at first').count()).toBe(1);
    await look('batch');
  });

  test('lead to the results, a line for each', async () => {
    const download = async (name: string) => {
      const href = await owner.page.getByRole('link', { name }).getAttribute('href');
      const answer = await owner.page.request.get(new URL(href ?? '', owner.page.url()).href);
      const lines = (await answer.text()).trimEnd().split('\n');
      return { name: answer.headers()['content-disposition'], lines: lines.map((line) => JSON.parse(line)) };
    };
    const results = await download('Download the results');
    expect(results.name).toBe(`attachment; filename=${ended.id.replaceAll('_', '-')}-output.jsonl`);
    expect(results.lines.map((line) => line.custom_id).toSorted()).toEqual(['line-0', 'line-1', 'line-2', 'line-3']);
    const failed = await download('Download the failed lines');
    expect(failed.lines).toMatchObject([{ custom_id: hostileId, response: { status_code: 400 } }]);
  });

  test('name the lines of an input that was refused', async () => {
    const { id } = await until(
      await create([lineOf('one', { messages }), 'no JSON']),
      ({ status }) => status === 'failed',
    );
    await owner.go(`batches/${id}`);
    expect(await owner.rows('Problems of the batch')).toEqual([['2', expect.any(String), expect.any(String)]]);
    expect(await owner.page.getByText('refused', { exact: true }).count()).toBe(1);
    await look('batch-refused');
  });

  test('show the progress of a batch that runs, and cancel it', async () => {
    const lines = ['one', 'two', 'three'].map((id) => lineOf(id, { messages }));
    const running = await create([...lines, lineOf('bad', {})], await slowClient());
    await until(running, ({ request_counts: counts }) => counts?.failed === 1);
    await owner.go(`batches/${running.id}`);
    expect(await owner.page.locator('[data-live]').innerText()).toMatch(/25 %.*1 of 4 lines.*running.*so far.*in \d/s);
    expect(await owner.page.getByText('slow', { exact: true }).count()).toBe(1);
    await look('batch-running');
    await owner.follow('Cancel the batch');
    await owner.press('Cancel the batch');
    await owner.page.getByText('The batch is being cancelled. Lines that run are finished.').waitFor();
    await until(running, ({ status }) => status === 'cancelled');
    await owner.go(`batches/${running.id}`);
    expect(await owner.page.getByRole('link', { name: 'Cancel the batch' }).count()).toBe(0);
  });

  test('a batch of another account does not exist', async () => {
    const { kysely } = gateway.database;
    await kysely.insertInto('accounts').values({ id: 'other', name: 'Other' }).execute();
    await kysely.updateTable('batches').set({ account_id: 'other' }).where('id', '=', ended.id).execute();
    for (const path of [`batches/${ended.id}`, `batches/${ended.id}/cancel`]) expect(await owner.go(path)).toBe(404);
  });
});
