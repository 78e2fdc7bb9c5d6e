import { GatewayError } from '@tallyport/contracts';
import { html, render } from '@tallyport/pages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DashboardRequest } from '../screen/route.ts';
import { costCells, readGroupCosts } from './group-costs.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-03T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

function recorded() {
  const asked: { from: string; only: string }[] = [];
  const ask = async (_name: string, input: { from: string; only: string }) => {
    asked.push(input);
    return { points: [{ model: 'a', cost: input.from === '2026-11-03' ? '1' : '9' }, { cost: '5' }] };
  };
  return { asked, ask: ask as unknown as DashboardRequest['ask'] };
}

const cellsOf = (costs: Parameters<typeof costCells>[1], id = 'a') =>
  render(html`${costCells({ base: '/d', by: 'model', id }, costs)}`);

test('the costs of a list are two reads, each leads to what it is of', async () => {
  const { asked, ask } = recorded();
  const costs = await readGroupCosts({ ask }, 'model', ['a', 'b/"', 'x,y']);
  const query = { to: '2026-11-03', interval: 'period', by: 'model', only: 'a,b/"' };
  expect(asked).toEqual([
    { from: '2026-11-01', ...query },
    { from: '2026-11-03', ...query },
  ]);
  expect(cellsOf(costs)).toMatch(
    /analytics\?period=month&amp;model=a">\$9\.00<.*from=2026-11-03T00:00Z&amp;model=a">\$1\.00</s,
  );
  expect(cellsOf(costs, 'b/"')).toMatch(/model=b%2F%22">\$0<.*model=b%2F%22">\$0</s);
});

test('a long list is read in portions, an empty one is not read', async () => {
  const { asked, ask } = recorded();
  await readGroupCosts(
    { ask },
    'model',
    Array.from({ length: 101 }, (_, at) => `model-${at}`),
  );
  expect(asked.map(({ only }) => only.split(',').length)).toEqual([100, 1, 100, 1]);
  await readGroupCosts({ ask }, 'model', []);
  expect(asked).toHaveLength(4);
});

test('a list is shown also if its costs cannot be read', async () => {
  const ask = async () => {
    throw new GatewayError('internal_error', 'The ledger is away.');
  };
  const costs = await readGroupCosts({ ask: ask as DashboardRequest['ask'] }, 'model', ['a']);
  expect(costs).toBeUndefined();
  expect(cellsOf(costs).match(/–/g)).toHaveLength(2);
});

test('the costs of members are read by their ids', async () => {
  const asked: unknown[] = [];
  const ask = async (name: string, input: object) => {
    asked.push([name, input]);
    return { members: [{ userId: 'a', cost: '3' }] };
  };
  const costs = await readGroupCosts({ ask: ask as unknown as DashboardRequest['ask'] }, 'member', ['a', 'b']);
  expect(asked).toEqual(
    ['2026-11-01', '2026-11-03'].map((from) => ['readMemberUsage', { from, to: '2026-11-03', members: 'a,b' }]),
  );
  const cells = render(html`${costCells({ base: '/d', by: 'member', id: 'a' }, costs)}`);
  expect(cells).toMatch(/analytics\?period=month&amp;member=a">\$3\.00<.*member=a">\$3\.00</s);
});
