import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { partOf } from '../../../../tests/support/scale.ts';
import { type Outage, type OutageReport, outages, replayOutage } from '../testing/outage.ts';

const document = readFileSync(new URL('../../../../docs/routing.md', import.meta.url), 'utf8');

const startOfRow = ({ perSecond, minutes, replicas }: Outage): string =>
  `| ${minutes === 1 ? '1 minute' : '1 hour'} | ${perSecond} | ${replicas} |`;

/** The row of the outage in the document, without the padding of its cells. */
const writtenRow = (outage: Outage): string | undefined =>
  document
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' '))
    .find((line) => line.startsWith(startOfRow(outage)));

function row(outage: Outage, { failed, failedShare, firstAfter, allAfter }: OutageReport): string {
  const share = (failedShare * 100).toFixed(failedShare < 0.01 ? 2 : 0);
  return `${startOfRow(outage)} ${failed} | ${share} % | ${seconds(firstAfter)} s | ${seconds(allAfter)} s |`;
}

const seconds = (value: number): number => Math.max(1, Math.round(value));

test.each(partOf(outages, { one: outages.length }))(
  'docs/routing.md shows what an outage costs: %j',
  async (outage) => {
    expect(writtenRow(outage)).toBe(row(outage, await replayOutage(outage)));
  },
);
