import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBills, readLedger } from './books.ts';
import { ask } from './client.ts';
import { isChat, type KindName, paidKinds } from './question-kinds.ts';
import { newMark } from './mark.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';

// Long: it runs every service, two of one.
// About: packages/serving/src/metering, packages/pricing/src, services/ledger-svc/src/usage.

let system: MoneySystem;
beforeAll(async () => {
  system = await startMoneySystem({ replicas: { 'chat-svc': 1 } });
});
afterAll(() => system?.stop());

const written = { interval: 100 };

describe.each([false, true])('a request, stream: %s', (stream) => {
  test.each<KindName>(['chat', ...paidKinds])('%s costs what the vendor bills', async (kind) => {
    const mark = newMark();
    const answer = await ask(system, { mark, stream, kind });
    expect(answer).toMatchObject({ result: '200', whole: true, problem: undefined });
    const [bill] = readBills(system).filter((each) => each.mark === mark);
    const { dollars, hasUnknown, ...billed } = bill ?? { dollars: undefined, hasUnknown: undefined };
    const line = { ...billed, cost: dollars, lacksPrice: hasUnknown, source: 'reported' };
    const linesOf = async () => (await readLedger(system)).filter((each) => each.mark === mark);
    await expect.poll(async () => (await linesOf()).length, written).toBe(1);
    expect(await linesOf()).toEqual([expect.objectContaining(line)]);
    // Answers of other APIs have no cost.
    expect(answer.cost && Number(answer.cost)).toBe(isChat(kind) ? Number(dollars) : undefined);
  });
});
