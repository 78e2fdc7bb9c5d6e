import { expect, test } from 'vitest';
import { addedRow, atMost, atMostTimesFloor, row } from './cases/case.ts';
import { renderNoise, renderTable } from './report.ts';

const rounds = { direct: [1, 3, 2], floor: [10, 30, 20], gateway: [30, 91, 60] };
const value = (figure: number): number => figure;

test('a row has the medians of its rounds and compares the gateway with the goal', () => {
  const values = { direct: 2, floor: 20, gateway: 60 };
  const expected = { measure: 'm', values, ratio: 3, goal: '≤ 3 × floor' };
  expect(row('m', rounds, { value, goal: atMostTimesFloor(3) })).toEqual({ ...expected, met: true });
  expect(row('m', rounds, { value, goal: atMostTimesFloor(2.99) })).toEqual({
    ...expected,
    goal: '≤ 2.99 × floor',
    met: false,
  });
});

test('the ratio is the median of the ratios of the rounds', () => {
  const changing = { floor: [10, 100, 20], gateway: [40, 300, 40] };
  expect(row('m', changing, { value })).toEqual({ measure: 'm', values: { floor: 20, gateway: 40 }, ratio: 3 });
});

test('there is no ratio to a floor of zero', () => {
  const idle = { floor: [0], gateway: [1] };
  expect(row('m', idle, { value })).toEqual({ measure: 'm', values: { floor: 0, gateway: 1 } });
});

test('without the gateway no goal is met or missed', () => {
  expect(row('m', { floor: [1] }, { value, goal: atMost(2, 'ms') })).toEqual({
    measure: 'm',
    values: { floor: 1 },
    goal: '≤ 2 ms',
  });
});

test('the added figure is the difference to direct', () => {
  expect(addedRow(row('m', rounds, { value }), 'added', atMost(58, 'ms'))).toEqual({
    measure: 'added',
    values: { floor: 18, gateway: 58 },
    ratio: 58 / 18,
    goal: '≤ 58 ms',
    met: true,
  });
});

test('a case with a problem of the gateway meets no goal', () => {
  const result = { rows: [row('CPU', rounds, { value, goal: atMostTimesFloor(3) })], detail: {} };
  const outcome = { id: 'a', title: 'Case', result, problems: [], othersCores: [] };
  expect(renderTable([outcome]).split('\n')).toEqual([
    '|  | direct | floor | gateway | compact | one process | peer | ratio | goal | met |',
    '| --- | --: | --: | --: | --: | --: | --: | --: | --- | --- |',
    '| **a** Case |  |  |  |  |  |  |  |  |  |',
    '| CPU | 2.00 | 20.0 | 60.0 |  |  |  | 3.00 × | ≤ 3 × floor | yes |',
  ]);
  const withProblem = (system: 'gateway' | 'peer') =>
    renderTable([{ ...outcome, problems: [{ system, text: '3 failed' }] }])
      .split('\n')
      .slice(3);
  expect(withProblem('gateway')).toEqual([
    '| CPU | 2.00 | 20.0 | 60.0 |  |  |  | 3.00 × | ≤ 3 × floor | no |',
    '| problem: gateway: 3 failed |  |  |  |  |  |  |  |  | no |',
  ]);
  expect(withProblem('peer')).toEqual([
    '| CPU | 2.00 | 20.0 | 60.0 |  |  |  | 3.00 × | ≤ 3 × floor | yes |',
    '| problem: peer: 3 failed |  |  |  |  |  |  |  |  |  |',
  ]);
});

test('reports a busy machine', () => {
  const outcome = { id: 'a', title: 'Case', problems: [] };
  expect(renderNoise([{ ...outcome, othersCores: [0.1, 0.1] }])).toBe('No other program used the machine.');
  expect(renderNoise([{ ...outcome, othersCores: [0.5, 0.9] }])).toContain('0.7 cores busy');
});
