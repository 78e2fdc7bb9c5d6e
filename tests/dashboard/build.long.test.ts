import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Database, openDatabase, sql } from '@tallyport/database';
import { createTestDatabase, type TestDatabase } from '@tallyport/database/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { email, password } from '../oauth/gateway.ts';
import { startChromium } from '../support/chromium.ts';
import { takePicture } from '../support/pages.ts';
import { addProviderRows } from './provider-rows.ts';
import { openOwner, type Visitor } from './visitor.ts';

// Long: it walks through many pages in a browser.
// About: services/console-svc/src, packages/pages/src.

describe('the screens to build with', () => {
  let place: TestDatabase;
  let database: Database;
  let gateway: Gateway;
  let browser: Browser;
  /** Without scripts. */
  let owner: Visitor;
  let scripted: Visitor;

  beforeAll(async () => {
    place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    const environment = {
      DATABASE_URL: place.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_ADMIN_EMAIL: email,
      BOOTSTRAP_ADMIN_PASSWORD: password,
      STATUS_PAGE: 'true',
    };
    [gateway, browser] = await Promise.all([startGateway(environment), startChromium()]);
    database = await openDatabase({ url: place.url });
    await addProviderRows(database);
    owner = await openOwner(browser, gateway.baseUrl);
    scripted = await openOwner(browser, gateway.baseUrl, { javaScriptEnabled: true });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
    await database?.close();
    await place?.drop();
  });

  test('models: search, filter, and what is missing to call one', async () => {
    await owner.go('models');
    const callable = await owner.rows('Models');
    expect(callable.every(([, , , , , state]) => state?.startsWith('callable sandbox-'))).toBe(true);
    await owner.page.getByRole('searchbox', { name: 'Search models' }).fill('gpt-6-luna');
    await owner.press('Show');
    expect(await owner.page.getByText('No model that can be called now fits.').isVisible()).toBe(true);
    await owner.follow('Search all models');
    const [first] = (await owner.rows('Models')).filter(([name]) => name?.endsWith(' gpt-6-luna'));
    expect(first?.[5]).toMatch(/^not callable needs a key for .*openai/);
    expect(new URL(owner.page.url()).search).toBe('?q=gpt-6-luna&show=all');

    await owner.go('models?show=all');
    await owner.page.getByLabel('Capability').selectOption('Reasoning');
    await owner.page.getByLabel('Provider').selectOption('anthropic');
    await owner.page.getByLabel('Order').selectOption('Lowest price');
    await owner.press('Show');
    expect(await owner.page.getByRole('status').textContent()).toMatch(/^\d+ models$/);
    expect((await owner.rows('Models')).length).toBeGreaterThan(3);
    await takePicture(owner.page, 'models');
  });

  test('models: up to four side by side, one in detail', async () => {
    await owner.go('models?show=all&q=claude');
    for (const _ of Array.from({ length: 4 })) {
      await owner.page
        .getByRole('link', { name: /^Compare / })
        .first()
        .click();
    }
    expect(await owner.page.getByRole('link', { name: /^Compare / }).count()).toBe(0);
    const rows = await owner.rows('Comparison of models');
    const counts = rows.map(([title, ...values]) => [title, values.length]);
    expect(counts).toEqual(
      expect.arrayContaining([
        ['Context', 4],
        ['Best uptime in 30 days', 4],
        ['Your first token', 4],
      ]),
    );
    await takePicture(owner.page, 'models-compared');
    await owner.page
      .getByRole('region', { name: 'Comparison of models' })
      .getByRole('link', { name: /^Remove / })
      .first()
      .click();
    expect(await owner.page.getByRole('link', { name: /^Compare / }).count()).toBeGreaterThan(0);

    expect(await owner.go('models/sandbox-chat')).toBe(200);
    expect((await owner.rows('Offers')).map(([provider]) => provider)).toContain('sandbox-a');
    const measured = await owner.rows('Measured in 30 days');
    expect(measured.find(([provider]) => provider === 'sandbox-b')?.slice(0, 4)).toEqual([
      'sandbox-b',
      expect.stringMatching(/ %$/),
      '811 ms',
      '2.25 s',
    ]);
    await owner.page.getByText('As code').click();
    for (const language of ['curl', 'Python', 'TypeScript', 'Go']) {
      const code = await owner.page.getByRole('region', { name: language, exact: true }).textContent();
      expect(code).toContain('sandbox-chat');
      expect(code).toContain('TALLYPORT_API_KEY');
    }
    await owner.follow('Show its route');
    expect(await owner.page.getByText('sandbox-a').count()).toBeGreaterThan(0);
    await owner.go('models/sandbox-chat');
    await takePicture(owner.page, 'model');
    expect(await owner.go('models/nothing-like-it')).toBe(404);
    expect(await owner.go(`models/${encodeURIComponent('deepseek-ai/DeepSeek-V4-Pro-0813')}`)).toBe(200);
  });

  test('models: a click copies an id', async () => {
    await scripted.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await scripted.go('models?q=sandbox-chat');
    await scripted.press('Copy: sandbox-chat');
    await scripted.page.getByText('Copied').first().waitFor();
    expect(await scripted.page.evaluate('navigator.clipboard.readText()')).toBe('sandbox-chat');
  });

  const chat = (model: string) =>
    fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    });

  test('providers: ninety days of uptime, the state now, and incidents', async () => {
    await owner.go('providers');
    const rows = await owner.rows('Providers');
    const row = rows.find(([name]) => name === 'sandbox-b');
    expect(row?.[1]).toMatch(/^healthy \d+ models?$/);
    expect(row?.[2]).toBe('99.21 %');
    expect([row?.[3], row?.[4]]).toEqual(['811 ms', '2.25 s']);
    const bars = owner.page.getByRole('img', { name: /lowest 77.5 %/ });
    expect(await bars.getAttribute('aria-label')).toMatch(/^Uptime by day, known for 85 of 90 days/);
    expect(await bars.locator('rect.none').count()).toBe(5);
    const [incident] = await owner.rows('Incidents');
    expect([incident?.[0], incident?.[3], incident?.[4]]).toEqual(['sandbox-b all models', '3 hours', '77.5 %']);
    await takePicture(owner.page, 'providers');

    await owner.follow('7 days');
    expect(await owner.page.getByText('There was no incident in this period.').isVisible()).toBe(true);
    await owner.follow('sandbox-b');
    expect((await owner.rows('Models of the provider'))[0]?.[0]).toBe('sandbox-chat');
    expect(await owner.go('providers/unknown')).toBe(404);
  });

  test('the status page shows the same providers to people without an account', async () => {
    const page = await browser.newPage();
    const response = await page.goto(`${gateway.baseUrl}/status`);
    expect([response?.status(), await page.getByRole('status').textContent()]).toEqual([
      200,
      'All providers are operational',
    ]);
    const bars = page.getByRole('img', { name: /lowest 77.5 %/ });
    expect([await bars.locator('rect').count(), await bars.locator('rect.none').count()]).toEqual([90, 5]);
    const [incident] = await page.getByRole('table', { name: 'Incidents' }).locator('tbody tr').all();
    expect(await incident?.getByRole('cell').allInnerTexts()).toEqual([
      'sandbox-b',
      expect.stringMatching(/^\d{4}-\d\d-\d\d 00:00 UTC$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\d 03:00 UTC$/),
      '3 hours',
      '77.5 %',
      'resolved',
    ]);
    await takePicture(page, 'status');
    await page.setViewportSize({ width: 390, height: 900 });
    await takePicture(page, 'status-phone');
    await page.close();
  });

  test('providers: the last error of an offer', async () => {
    await fetch(`${gateway.sandboxUrl}/control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'sandbox-a', fault: 'status:500' }),
    });
    try {
      const found = async () => {
        await chat('sandbox-a/sandbox-chat');
        await owner.go('providers/sandbox-a');
        return (await owner.rows('Models of the provider')).find(([name]) => name === 'sandbox-chat')?.[6];
      };
      await expect.poll(found).toMatch(/^[a-z ]+ 2\d{3}-\d\d-\d\d \d\d:\d\d UTC$/);
    } finally {
      await fetch(`${gateway.sandboxUrl}/control/faults`, { method: 'DELETE' });
    }
  });

  const answerOf = (visitor: Visitor, model: string, turn = 1) =>
    visitor.page.getByRole('region', { name: `Answer ${turn} of ${model}` });
  const factsOf = async (visitor: Visitor, model: string): Promise<Record<string, string>> => {
    const list = answerOf(visitor, model).locator('dl');
    const [names, values] = [await list.locator('dt').allInnerTexts(), await list.locator('dd').allInnerTexts()];
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
  };
  const openParameters = (visitor: Visitor) => visitor.page.getByText('Parameters', { exact: true }).click();
  const playground = 'playground_default_';
  const saidTo = (visitor: Visitor): Promise<string[]> => visitor.page.locator('.said .answer-text').allTextContents();
  /** The roles of the messages that the code sends. */
  const rolesAsCode = async (visitor: Visitor): Promise<string[]> => {
    const code = (await visitor.page.locator('#code-curl pre').textContent()) ?? '';
    const { messages } = JSON.parse(/-d '(.*)'$/s.exec(code)?.[1]?.replaceAll(String.raw`'\''`, "'") ?? '') as {
      messages: { role: string }[];
    };
    return messages.map(({ role }) => role);
  };

  test('playground: three models answer side by side, streamed, with route and cost', async () => {
    await scripted.go('playground?models=sandbox-chat,sandbox-fast,sandbox-reasoner');
    await openParameters(scripted);
    await scripted.fill({ Message: 'Say hello', System: 'Be short.', Temperature: '0.2', 'Maximum output': '40' });
    await scripted.press('Send');
    await scripted.page.getByText('Done.').waitFor();
    for (const model of ['sandbox-chat', 'sandbox-fast', 'sandbox-reasoner']) {
      expect((await answerOf(scripted, model).locator('.answer-text').textContent())?.length).toBeGreaterThan(5);
      expect(await factsOf(scripted, model)).toMatchObject({
        Provider: expect.stringMatching(/^sandbox-[abc]$/),
        Attempts: '1',
        Tokens: expect.stringMatching(/^\d+ in, \d+ out$/),
        Cost: '$0',
        Request: expect.stringMatching(/./),
      });
    }
    const lines = scripted.page.locator('.answer > p.small').filter({ hasText: 'Against' });
    expect(await lines.allInnerTexts()).toEqual([
      expect.stringMatching(/^Against sandbox-chat: .+\.$/),
      expect.stringMatching(/^Against sandbox-chat: .+\.$/),
    ]);
    const { searchParams } = new URL(scripted.page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      models: 'sandbox-chat,sandbox-fast,sandbox-reasoner',
      system: 'Be short.',
    });
    await takePicture(scripted.page, 'playground');
  });

  test("playground: the request is the person's own, in usage and in the keys", async () => {
    const { Request: requestId = '' } = await factsOf(scripted, 'sandbox-chat');
    const records = async () => {
      const query = sql<{ key_id: string }>`select key_id from usage_records where request_id = ${requestId}`;
      return (await query.execute(database.kysely)).rows;
    };
    await expect.poll(records).toEqual([{ key_id: expect.stringContaining(playground) }]);
    await owner.go('keys');
    expect((await owner.rows('API keys')).map(([name]) => name)).toContain(`Playground of ${email} playground…`);
  });

  test('playground: Ctrl-Enter sends, the message stays in sight, and a reload keeps the conversation', async () => {
    await scripted.go('playground?models=sandbox-fast');
    for (const turn of [1, 2, 3]) {
      await scripted.fill({ Message: `Message ${turn}` });
      await scripted.page.getByLabel('Message').press('Control+Enter');
      await answerOf(scripted, 'sandbox-fast', turn).locator('dl').waitFor();
      await expect.poll(() => scripted.page.getByLabel('Message').inputValue()).toBe('');
    }
    await scripted.page.evaluate('scrollTo(0, 0)');
    const isInSight = async () => {
      const box = await scripted.page.getByRole('button', { name: 'Send', exact: true }).boundingBox();
      return box !== null && box.y + box.height <= 720;
    };
    expect(await isInSight()).toBe(true);
    await scripted.fill({ Message: 'A draft' });
    const facts = await factsOf(scripted, 'sandbox-fast');
    await scripted.page.reload();
    await expect.poll(() => saidTo(scripted)).toEqual(['Message 1', 'Message 2', 'Message 3']);
    expect(await factsOf(scripted, 'sandbox-fast')).toEqual(facts);
    expect(await scripted.page.getByLabel('Message').inputValue()).toBe('A draft');
    expect(await rolesAsCode(scripted)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    await scripted.follow('New conversation');
    expect(await saidTo(scripted)).toEqual([]);
    await scripted.page.reload();
    await scripted.page.getByText('As code').waitFor();
    expect(await saidTo(scripted)).toEqual([]);
  });

  test('playground: a model that cannot be called is named, and another one is not chosen without a word', async () => {
    await owner.go('playground?models=<b>gone</b>,sandbox-fast');
    expect(await owner.page.locator('.note.warn').allInnerTexts()).toEqual([
      expect.stringMatching(/^<b>gone<\/b> cannot be called here\. .+ is chosen instead\.$/),
    ]);
    await owner.go('playground?models=gpt-6-luna');
    expect(await owner.page.locator('.note.warn').innerText()).toMatch(
      /^gpt-6-luna cannot be called here: .+ instead\.$/,
    );
    await owner.go('playground?request=unknown');
    expect(await owner.page.getByText(/does not exist|was not found|no request/i).count()).toBeGreaterThan(0);
  });

  test('playground: embeddings and speech, with and without scripts', async () => {
    for (const visitor of [owner, scripted]) {
      await visitor.go('playground/embeddings?models=sandbox-embedding');
      await visitor.fill({ 'Texts, one a line': 'A cat\nA dog' });
      await visitor.press('Send');
      await visitor.page.getByText(/^Text 1: \d+ numbers/).waitFor();
      expect(await answerOf(visitor, 'sandbox-embedding').locator('.answer-text').textContent()).toMatch(
        /\nText 2: \d+ numbers, .+; similarity to text 1: -?\d\.\d{3}$/,
      );
      await visitor.go('playground/speech?models=sandbox-speech');
      await visitor.fill({ 'Text to speak': 'The trains are sorted by night.' });
      await visitor.press('Send');
      const download = visitor.page.waitForEvent('download');
      await visitor.page.getByRole('link', { name: 'Save the speech' }).click();
      expect(await (await download).failure()).toBeNull();
    }
    expect(await scripted.page.getByRole('button', { name: 'Play' }).isVisible()).toBe(true);
  });

  test('playground: as code, in four languages, and tools that are no JSON', async () => {
    await scripted.go('playground?models=sandbox-tools');
    await scripted.page.getByText('As code').click();
    await openParameters(scripted);
    await scripted.fill({ Message: "It's me", Tools: '{' });
    await scripted.press('Send');
    await scripted.page.getByText('The tools must be a list in JSON').waitFor();
    const tools =
      '[{"type":"function","function":{"name":"weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]';
    await scripted.fill({ Tools: tools });
    expect(await scripted.page.getByRole('region', { name: 'curl' }).textContent()).toContain(String.raw`"It'\''s me"`);
    expect(await scripted.page.getByRole('region', { name: 'Python' }).textContent()).toContain(
      '    model="sandbox-tools",\n',
    );
    await scripted.press('Send');
    await scripted.page.getByText('Calls weather').waitFor();
  });

  test('playground: a conversation goes on for each model, and a message is written anew', async () => {
    await scripted.go('playground?models=sandbox-chat,sandbox-fast');
    await openParameters(scripted);
    await scripted.fill({ System: 'Be short.' });
    for (const [turn, message] of ['First', 'Second'].entries()) {
      await scripted.fill({ Message: message });
      await scripted.press('Send');
      for (const model of ['sandbox-chat', 'sandbox-fast']) {
        await answerOf(scripted, model, turn + 1)
          .locator('dl')
          .waitFor();
      }
      await expect.poll(() => scripted.page.getByLabel('Message').inputValue()).toBe('');
    }
    expect(await saidTo(scripted)).toEqual(['First', 'Second']);
    expect(await rolesAsCode(scripted)).toEqual(['system', 'user', 'assistant', 'user', 'assistant']);
    await takePicture(scripted.page, 'playground-conversation');
    await scripted.press('Edit message 2');
    expect(await scripted.page.getByLabel('Message').inputValue()).toBe('Second');
    await scripted.fill({ Message: 'Other' });
    const sent = scripted.page.waitForRequest('**/session/chat/completions');
    await scripted.press('Send');
    const { messages } = (await sent).postDataJSON() as { messages: { role: string; content: string }[] };
    const firstAnswer = await answerOf(scripted, 'sandbox-chat').locator('.answer-text').textContent();
    expect(messages).toEqual([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'First' },
      { role: 'assistant', content: firstAnswer },
      { role: 'user', content: 'Other' },
    ]);
    await answerOf(scripted, 'sandbox-chat', 2).locator('dl').waitFor();
    expect(await saidTo(scripted)).toEqual(['First', 'Other']);
  });

  test('playground: models lead there, one or those that are compared', async () => {
    await owner.go('models');
    await owner.page.getByRole('link', { name: /^Try / }).first().click();
    expect(owner.page.url()).toMatch(/\/playground\?models=sandbox-/);
    await owner.go('models?compare=sandbox-chat,sandbox-fast');
    await owner.follow('Try them in the playground');
    expect(await owner.page.getByLabel('Model', { exact: true }).inputValue()).toBe('sandbox-chat');
    expect(await owner.page.getByLabel('Second model').inputValue()).toBe('sandbox-fast');
    await owner.go('models/sandbox-fast');
    await owner.follow('Try it in the playground');
    expect(await owner.page.getByLabel('Model', { exact: true }).inputValue()).toBe('sandbox-fast');
    await owner.page.goto(`${gateway.baseUrl}/dashboard?section=playground`);
    expect(owner.page.url()).toBe(`${gateway.baseUrl}/dashboard/default/playground`);
  });

  test('playground: Stop ends the answers, and an error says what to do', async () => {
    const fault = (body: object) =>
      fetch(`${gateway.sandboxUrl}/control/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await scripted.go('playground?models=sandbox-fast');
    await fault({ provider: 'sandbox-a', fault: 'hang' });
    try {
      await scripted.fill({ Message: 'Wait for me' });
      await scripted.press('Send');
      await scripted.press('Stop');
      await scripted.page.getByText('Stopped. What was written until then is billed.').waitFor();
    } finally {
      await fetch(`${gateway.sandboxUrl}/control/faults`, { method: 'DELETE' });
    }
    await openParameters(scripted);
    await scripted.fill({ Message: 'Too hot', Temperature: '9' });
    await scripted.press('Send');
    await scripted.page.getByText(/temperature.*request /).waitFor();
    await takePicture(scripted.page, 'playground-error');
  });

  test('playground: images', async () => {
    await scripted.go('playground/images');
    await scripted.fill({ 'Describe the image': 'A lighthouse' });
    await scripted.press('Send');
    const image = scripted.page.getByRole('img', { name: 'A lighthouse' });
    await image.waitFor();
    await expect.poll(() => image.evaluate((found) => Reflect.get(found, 'naturalWidth') as number)).toBeGreaterThan(0);
    await takePicture(scripted.page, 'playground-images');
  });

  test('playground: without scripts, one whole answer, and errors keep what was typed', async () => {
    await owner.go('playground?models=sandbox-chat');
    await owner.fill({ Message: 'Say something whole' });
    await owner.press('Send');
    expect((await answerOf(owner, 'sandbox-chat').locator('.answer-text').textContent())?.length).toBeGreaterThan(5);
    expect(await factsOf(owner, 'sandbox-chat')).toMatchObject({
      Provider: expect.stringMatching(/^sandbox-/),
      Cost: '$0',
    });
    await openParameters(owner);
    await owner.fill({ Message: 'And again', Tools: 'nonsense' });
    await owner.press('Send');
    expect(await owner.page.getByLabel('Tools').getAttribute('aria-invalid')).toBe('true');
    expect(await owner.page.getByLabel('Message').inputValue()).toBe('And again');
    await owner.fill({ Tools: '' });
    await owner.press('Send');
    await answerOf(owner, 'sandbox-chat', 2).waitFor();
    expect(await saidTo(owner)).toEqual(['Say something whole', 'And again']);
    expect(await rolesAsCode(owner)).toEqual(['user', 'assistant', 'user', 'assistant']);
    await owner.press('Edit message 1');
    expect(await owner.page.getByLabel('Message').inputValue()).toBe('Say something whole');
    expect(await saidTo(owner)).toEqual([]);
    await owner.go('playground/images');
    await owner.fill({ 'Describe the image': 'A harbour' });
    await owner.press('Send');
    await owner.page.getByRole('img', { name: /^The image that / }).waitFor();
  });

  /** The status of the POST that an action causes. */
  const statusOf = async (page: Page, act: () => Promise<unknown>): Promise<number> => {
    const sent = page.waitForResponse((response) => response.request().method() === 'POST');
    await act();
    return (await sent).status();
  };

  test('playground: a page of another origin cannot spend money', async () => {
    const target = `${gateway.baseUrl}/dashboard/default/playground`;
    const stranger = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<form method="post" action="${target}"><input name="model" value="sandbox-chat"><input name="prompt" value="x"></form>`,
      );
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const page = await scripted.page.context().newPage();
    try {
      // The same host at another port: browsers send the cookie.
      const { hostname } = new URL(gateway.baseUrl);
      await page.goto(`http://${hostname}:${(stranger.address() as AddressInfo).port}`);
      const simple = `fetch('${gateway.baseUrl}/session/chat/completions', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' })`;
      expect(await statusOf(page, () => page.evaluate(simple))).toBe(403);
      const json = `fetch('${gateway.baseUrl}/session/chat/completions', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json', 'x-csrf-token': 'x' }, body: '{}' }).then(() => 'answered', () => 'refused')`;
      expect(await page.evaluate(json)).toBe('refused');
      expect(await statusOf(page, () => page.evaluate('document.forms[0].submit()'))).toBe(403);
    } finally {
      await page.close();
      stranger.close();
    }
  });

  test('playground: without a token of the page, or with an API key, nothing is answered', async () => {
    await scripted.go('playground');
    const ask = (headers: Record<string, string>) =>
      scripted.page.evaluate(
        `fetch('/session/chat/completions', { method: 'POST', headers: ${JSON.stringify({ 'content-type': 'application/json', ...headers })}, body: '{}' }).then(({ status }) => status)`,
      );
    expect(await ask({})).toBe(403);
    expect(await ask({ 'x-csrf-token': 'A'.repeat(86) })).toBe(403);
    const withKey = await fetch(`${gateway.baseUrl}/session/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(withKey.status).toBe(401);
    const withCookie = `fetch('/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then(({ status }) => status)`;
    expect(await scripted.page.evaluate(withCookie)).toBe(401);
  });

  test('playground: limits of the key count for the module and for the form', async () => {
    const setLimit = (limits: string | null) =>
      sql`update api_keys set limits = ${limits}::jsonb where id like ${`${playground}%`}`.execute(database.kysely);
    await setLimit(JSON.stringify({ requestsPerMinute: { chat: 1 } }));
    try {
      const ask = async () => {
        await scripted.go('playground?models=sandbox-fast');
        await scripted.fill({ Message: 'Once more' });
        return statusOf(scripted.page, () => scripted.press('Send'));
      };
      await expect.poll(ask).toBe(429);
      await scripted.page.getByText(/limit of 1 chat requests.*rate_limit_exceeded/).waitFor();
      await owner.go('playground?models=sandbox-fast');
      await owner.fill({ Message: 'And without scripts' });
      expect(await statusOf(owner.page, () => owner.press('Send'))).toBe(429);
    } finally {
      await setLimit(null);
    }
  });
});
