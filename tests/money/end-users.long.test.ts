import { sql } from '@tallyport/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectSocket } from '../../services/edge/src/testing/socket-client.ts';
import { newMark } from './mark.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';

// Long: it runs every service, two of one.
// About: packages/serving/src/metering/budgets.

const dollars = 0.1;
const soon = { interval: 100 };

describe('budgets of end users over two replicas, Redis and Postgres', () => {
  let system: MoneySystem;
  const lines: string[] = [];
  beforeAll(async () => {
    system = await startMoneySystem({ environment: { LOG_LEVEL: 'debug' }, onLine: (_name, line) => lines.push(line) });
    await system.database.kysely
      .updateTable('api_keys')
      .set({ end_user_budget: JSON.stringify({ amount: String(dollars), period: 'month' }) })
      .execute();
  });
  afterAll(() => system?.stop());

  const send = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${system.gateway.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${system.gateway.apiKey}`,
        'content-type': 'application/json',
        'x-no-cache': 'true',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  let turns = 0;
  const messages = () => [{ role: 'user', content: `turn ${(turns += 1)} [words:8]` }];
  const chat = (endUser: object, headers?: Record<string, string>) =>
    send('/v1/chat/completions', { model: 'sandbox-chat', max_tokens: 10, messages: messages(), ...endUser }, headers);
  const statusOf = async (response: Promise<Response>): Promise<number> => {
    const { status, body } = await response;
    await body?.cancel();
    return status;
  };
  /** What the ledger has recorded for an end user. */
  const recorded = async (endUser: string) => {
    const { rows } = await sql<{ requests: number; cost: number }>`
      select count(*) filter (where end_reason <> 'refused')::int as requests, coalesce(sum(cost), 0)::float8 as cost
      from usage_records where end_user = ${endUser}`.execute(system.database.kysely);
    return rows[0] ?? { requests: 0, cost: 0 };
  };

  test('of many turns at once, only as many pass as the budget allows, and another end user is not concerned', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const turnsAtOnce = Array.from({ length: 12 }, () => statusOf(chat({ user: 'ann' })));
      statuses.push(...(await Promise.all(turnsAtOnce)));
    }
    expect(new Set(statuses)).toEqual(new Set([200, 402]));
    const passed = statuses.filter((status) => status === 200).length;
    await expect.poll(async () => (await recorded('ann')).requests, soon).toBe(passed);
    const { cost } = await recorded('ann');
    expect(cost).toBeLessThanOrEqual(dollars);
    expect(cost).toBeGreaterThan(dollars * 0.8);
    expect(await statusOf(chat({ user: 'ann' }))).toBe(402);
    expect(await statusOf(chat({ user: 'bob' }, { 'x-end-user': 'ann' }))).toBe(402);
    expect(await statusOf(chat({ user: 'bob' }))).toBe(200);
    expect(await statusOf(chat({}))).toBe(200);
  });

  test('a refusal has the form of each API, names the budget and its reset, and not the end user', async () => {
    const refused = { 'x-end-user': 'ann' };
    const text =
      /^This key's budget of \$0\.1 per month for each end user does not allow this request: .* It resets at /;
    const message = expect.stringMatching(text);
    const model = 'sandbox-chat';
    const input = 'Hello';
    expect(await (await chat({}, refused)).json()).toMatchObject({ error: { code: 'budget_exceeded', message } });
    const inMessages = await send('/v1/messages', { model, max_tokens: 10, messages: messages() }, refused);
    expect(await inMessages.json()).toMatchObject({ type: 'error', error: { message } });
    const inResponses = await send('/v1/responses', { model, input, max_output_tokens: 10 }, refused);
    expect(await inResponses.json()).toMatchObject({ error: { message } });
    const contents = [{ role: 'user', parts: [{ text: input }] }];
    const inGemini = await send(`/v1beta/models/${model}:generateContent`, { contents }, refused);
    expect(await inGemini.json()).toMatchObject({ error: { message } });
    // Google's API has no status for it.
    expect([inMessages.status, inResponses.status, inGemini.status]).toEqual([402, 402, 400]);
  });

  test('on a socket, each request is one turn and one record, and the end of the budget is an event', async () => {
    const { baseUrl, apiKey } = system.gateway;
    const socketOf = (endUser: string) =>
      connectSocket(baseUrl, '/v1/responses', {
        key: apiKey,
        headers: { 'x-end-user': endUser, 'x-no-cache': 'true' },
      });
    const turn = { type: 'response.create', model: 'sandbox-chat', input: 'turn [words:8]', max_output_tokens: 10 };
    const [spent, other] = await Promise.all([socketOf('ann'), socketOf('cid')]);
    for (let count = 0; count < 2; count += 1) {
      spent.send(turn);
      expect(await spent.next()).toMatchObject({ type: 'error', status: 402, error: { code: 'budget_exceeded' } });
      other.send(turn);
      const events = await other.next().then(async (first) => [first, ...(await other.until('response.incomplete'))]);
      expect(events[0]).toMatchObject({ type: 'response.created' });
    }
    await expect.poll(async () => (await recorded('cid')).requests, soon).toBe(2);
    spent.webSocket.close();
    other.webSocket.close();
  });

  test('hostile names are served, recorded as text, and in no metric or log line', async () => {
    const names = ['Zoë 日本 👩‍👧', `'; drop table usage_records; --`, '{"$gt":""}', 'budget:key:x'];
    const marks: string[] = [];
    for (const user of [...names, 'nul\0in\u202ename', 'long '.repeat(50_000)]) {
      const mark = newMark();
      marks.push(mark);
      expect(await statusOf(chat({ user }, { 'x-request-id': mark }))).toBe(200);
    }
    for (const name of [...names, 'nulinname']) {
      await expect.poll(async () => (await recorded(name)).requests, soon).toBe(1);
    }
    const metrics = await Promise.all(
      Object.values(system.gateway.adminUrls)
        .flat()
        .map(async (url) => (await fetch(`${url}/metrics`)).text()),
    );
    for (const page of metrics) expect(page).toMatch(/^# TYPE /m);
    await expect.poll(() => marks.filter((mark) => !lines.some((line) => line.includes(mark))), soon).toEqual([]);
    const written = [...metrics, ...lines].join('\n');
    for (const name of [...names, 'nulinname', 'nul\0in\u202ename', 'long long']) {
      for (const form of [name, JSON.stringify(name).slice(1, -1)]) expect(written).not.toContain(form);
    }
  });
});
