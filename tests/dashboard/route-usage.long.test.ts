import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, operator } from '../../services/auth-svc/src/keys/create-key.ts';
import { createProject } from '../../services/auth-svc/src/projects/create-project.ts';
import { type OAuthGateway, startOneOAuthGateway } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { takePicture } from '../support/pages.ts';
import { openOwner, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src, services/ledger-svc/src/route-usage.

/** The simulated providers charge nothing by default, and count two tokens for the prompt of these requests. */
const chatPrices = '{ pricing: { prompt: "0", completion: "0.001" } }';
const fastPrices = '{ pricing: { prompt: "0", completion: "0.002" } }';
const prices = `models:
  sandbox-chat: { offers: { sandbox-a: ${chatPrices}, sandbox-b: ${chatPrices}, sandbox-c: ${chatPrices} } }
  sandbox-fast: { offers: { sandbox-a: ${fastPrices} } }
`;
const definition = {
  targets: [
    { model: 'sandbox-chat', weight: 3 },
    { model: 'sandbox-a/sandbox-fast', weight: 1 },
  ],
  shadow: { model: 'sandbox-fast', percent: 100, project: 'trials' },
};
/** The weights choose the first target for these end users, and the second for the last. */
const endUsers = ['ada', 'bea', 'cleo', 'gus'];
const chosen = ['sandbox-chat', 'sandbox-chat', 'sandbox-chat', 'sandbox-fast'];

describe('a route with a shadow through the whole gateway', () => {
  let gateway: OAuthGateway;
  let browser: Browser;
  let owner: Visitor;
  let folder: string;
  let key: string;
  let keyId: string;
  let projectId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'route-usage-'));
    const TALLYPORT_CONFIG = join(folder, 'tallyport.yaml');
    await writeFile(TALLYPORT_CONFIG, prices);
    [gateway, browser] = await Promise.all([startOneOAuthGateway({ TALLYPORT_CONFIG }), startChromium()]);
    const { database } = gateway;
    owner = await openOwner(browser, gateway.baseUrl);
    const { key: made, record } = await createKey(database, operator, { name: 'clients', admin: true });
    [key, keyId] = [made, record.id];
    const budget = { amount: '5', period: 'month' } as const;
    ({ id: projectId } = await createProject(
      database,
      { accountId: 'default', actor: 'operator' },
      { name: 'trials', budget },
    ));
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare it with what they expect
  async function call(operation: string, body?: object, headers: Record<string, string> = {}): Promise<any> {
    const [method = '', path = ''] = operation.split(' ');
    const response = await fetch(gateway.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json();
  }
  const ask = (model: string, user: string) =>
    call(
      'POST /v1/chat/completions',
      { model, user, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 20 },
      { 'x-no-cache': 'true' },
    );
  const requests = async (filter = '') => (await call(`GET /api/v1/requests${filter}`)).requests;

  test('each request is answered by its target, and its copy is of the project that pays', async () => {
    await call('PUT /api/v1/routes/fast', definition);
    await expect.poll(async () => (await call('GET /v1/models/fast')).route).toBe(true);
    const answers = [];
    for (const user of endUsers) answers.push(await ask('fast', user));
    expect(answers.map(({ metadata, usage }) => [metadata.used_model, usage.completion_tokens])).toEqual(
      chosen.map((model) => [model, 20]),
    );
    await expect.poll(async () => (await requests()).length).toBe(8);
    const copies = await requests(`?project=${projectId}`);
    expect(copies).toHaveLength(4);
    for (const copy of copies)
      expect(copy).toMatchObject({
        keyId: 'shadow_fast',
        projectId,
        requestedModel: 'fast',
        model: 'sandbox-fast',
        cost: '0.04',
        outcomes: ['ok'],
      });
    const own = (await requests(`?key=${keyId}`)).toReversed();
    expect(own).toMatchObject(
      chosen.map((model) => ({ keyId, model, cost: model === 'sandbox-fast' ? '0.04' : '0.02', outcomes: ['ok'] })),
    );
    expect(own.map(({ endUser }: { endUser: string }) => endUser)).toEqual(endUsers);
    expect(own.map((each: object) => 'projectId' in each)).toEqual(endUsers.map(() => false));
    const pairs = (list: { requestId: string }[]) => list.map(({ requestId }) => requestId).toSorted();
    expect(pairs(copies)).toEqual(pairs(own));
    const groups = (await call('GET /api/v1/usage?group_by=project')).groups;
    expect(groups.map(({ group, cost }: { group: string; cost: string }) => [group, cost]).toSorted()).toEqual([
      ['', '0.1'],
      [projectId, '0.16'],
    ]);
  });

  test('the API has the shares, and the cost, length and time of each model', async () => {
    const figures = { failed: 0, tokensPerAnswer: 20, durationMs: expect.any(Number) };
    expect(await call('GET /api/v1/usage/routes')).toEqual({
      routes: [
        {
          name: 'fast',
          since: (await call('GET /api/v1/routes/fast')).updatedAt,
          models: [
            { model: 'sandbox-fast', reason: 'shadow', requests: 4, costPerRequest: '0.04', ...figures },
            { model: 'sandbox-chat', reason: 'weight', requests: 3, costPerRequest: '0.02', ...figures },
            { model: 'sandbox-a/sandbox-fast', reason: 'weight', requests: 1, costPerRequest: '0.04', ...figures },
          ],
        },
      ],
    });
  });

  test('the dashboard shows the share beside the weight, and the shadow beside the targets', async () => {
    await owner.go('routes');
    const [row] = await owner.rows('Routes of the account');
    expect(row?.slice(0, 3)).toEqual([
      'fast',
      expect.stringMatching(
        /^sandbox-chat 75 %, served 75 % sandbox-a\/sandbox-fast 25 %, served 25 % 4 requests by weight since \d{4}-\d\d-\d\d$/,
      ),
      'shadow: 100 % to sandbox-fast',
    ]);
    await owner.page.getByRole('link', { name: 'Usage of fast' }).click();
    const time = expect.stringMatching(/^[\d.]+ m?s$/);
    expect(await owner.rows('Models that answered for fast')).toEqual([
      ['sandbox-fast', 'its shadow got a copy of the request', '4', '0', '$0.04', '20', time],
      ['sandbox-chat', 'its weights chose the model', '3', '0', '$0.02', '20', time],
      ['sandbox-a/sandbox-fast', 'its weights chose the model', '1', '0', '$0.04', '20', time],
    ]);
    await takePicture(owner.page, 'dashboard-route-usage');
    await owner.follow('The shadow in Analytics');
    expect(await owner.rows('Usage by model')).toEqual([['sandbox-fast', '$0.16 new', '4 new', '0', time, '8', '80']]);
  });
});
