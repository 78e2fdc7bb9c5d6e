import type { readSums } from '../books.ts';
import type { ClientRequest } from '../client.ts';
import { isExpected } from '../expected-losses.ts';
import type { Findings } from '../invariants.ts';
import { forgotten } from '../sockets/socket-answer.ts';
import type { Chaos } from './disturb.ts';
import type { Use } from './further/feature.ts';
import type { Growth } from './growth.ts';
import type { Inflight } from './metrics.ts';
import type { TrafficResult } from './traffic.ts';

interface SoakResult {
  traffic: TrafficResult;
  uses: readonly Use[];
  chaos: Chaos;
  growth: readonly Growth[];
  inflight: Inflight;
  findings: Findings;
  sums: Awaited<ReturnType<typeof readSums>>;
  held: number | undefined;
}

/** Renders the figures of a soak and returns whether it succeeded. */
export function reportOf(result: SoakResult): { text: string; succeeded: boolean } {
  const { traffic, uses, chaos, growth, inflight, findings, sums, held } = result;
  const isWrong = (each: ClientRequest | Use) => each.problem !== undefined && !isExpected(each, chaos.disturbed);
  const bad = traffic.requests.filter(isWrong);
  const badUses = uses.filter(isWrong);
  const { lines, bills, ...wrong } = findings;
  const succeeded =
    bad.length === 0 &&
    badUses.length === 0 &&
    isTried(uses) &&
    chaos.problems.length === 0 &&
    Object.values(wrong).every((found) => found.length === 0) &&
    Object.values(inflight).every((count) => count === 0) &&
    held === 0 &&
    sums.records === sums.days &&
    sums.records === sums.hours;
  const text = [
    `requests: ${traffic.requests.length}, held back: ${traffic.heldBack}, disturbances: ${chaos.disturbed.length}`,
    `results: ${countsOf(traffic.requests.map(({ result: how }) => how))}`,
    `slowest answer: ${slowestOf(traffic.requests)} ms`,
    `bad answers: ${bad.length}`,
    ...bad.slice(0, 20).map(({ mark, from, edge, problem }) => `  ${stamp(from)} ${mark} edge ${edge + 1}: ${problem}`),
    ...usesOf(uses),
    `bad uses: ${badUses.length}`,
    ...badUses.slice(0, 20).map(({ from, edge, problem }) => `  ${stamp(from)} edge ${edge + 1}: ${problem}`),
    `ledger: ${lines} lines, ${bills} billed`,
    ...Object.entries(wrong).flatMap(([name, found]) => [`  ${name}: ${found.length}`, ...found.slice(0, 20)]),
    `sums: ${JSON.stringify(sums)}, held of the budget: ${held}`,
    `in flight five seconds later: ${JSON.stringify(inflight)}`,
    `problems: ${chaos.problems.length}`,
    ...chaos.problems,
    ...growth.map(growthLine),
    succeeded ? 'passed' : 'FAILED',
  ].join('\n');
  return { text, succeeded };
}

/** A feature that is mostly refused has not been tried. */
const leastDone = 0.25;

const isTried = (uses: readonly Use[]): boolean =>
  Object.values(Object.groupBy(uses, ({ feature }) => feature)).every(
    (all = []) => all.filter(({ result }) => result === 'done').length >= leastDone * all.length,
  );

const usesOf = (uses: readonly Use[]): string[] =>
  [...Map.groupBy(uses, ({ feature }) => feature)].map(
    ([feature, all]) => `${feature}: ${countsOf(all.map(({ result }) => result))}`,
  );

/** Those that continue a lost response begin with it. */
const slowestOf = (requests: readonly ClientRequest[]): number =>
  requests
    .filter(({ result }) => result !== forgotten)
    .reduce((slowest, { from, until }) => Math.max(slowest, until - from), 0);

const countsOf = (results: readonly string[]): string =>
  [...Map.groupBy(results, (result) => result)]
    .map(([result, all]) => `${result}: ${all.length}`)
    .toSorted()
    .join(', ');

const growthLine = ({ process, figure, first, last, perMinute }: Growth): string =>
  `${process.padEnd(14)} ${figure.padEnd(12)} ${first} → ${last}, ${perMinute} a minute`;

const stamp = (at: number): string => new Date(at).toISOString();
