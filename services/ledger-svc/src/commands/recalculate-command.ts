import type { RecalculatedSum, Recalculation } from '@tallyport/contracts';
import { type Money, moneyText, readMoney, signedMoneyText } from '@tallyport/pricing';
import { parsedWords } from '@tallyport/service-kit';
import type { LedgerCommandClient } from '../control/ledger-socket.ts';
import { dayMs, dayOf, isDay } from '../usage/days.ts';

export const recalculateUsage = `Usage:
  npm run recalculate -- --from 2026-11-01 --to 2026-11-30   price these days (UTC, both included) with the prices in force

Options:
  --at <version>      the prices of another version, as records name it; today is the version in force
  --account <id>      only this account
  --json              by day, model, provider and class, for programs

It only reads: the ledger keeps what was booked. Records written before the ledger kept where a model ran have no place,
and prices of places are not applied to them.
`;

type RecalculationClient = Pick<LedgerCommandClient, 'recalculate'>;

/** Runs and resolves with the output. */
type RecalculateCommand = (ledger: RecalculationClient) => Promise<string>;

const options = {
  from: { type: 'string' },
  to: { type: 'string' },
  at: { type: 'string', default: 'today' },
  account: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const mostDays = 400;

/** Parses the words; `undefined` if they are not valid. */
export function recalculateCommand(words: readonly string[]): RecalculateCommand | undefined {
  const { from = '', to = '', at, account, json = false } = parsedWords(words, { options })?.values ?? {};
  const days = daysFrom(from, to);
  if (days.length === 0) return undefined;
  const query = { ...(account !== undefined && { accountId: account }), ...(at !== 'today' && { version: at }) };
  return async (ledger) => {
    const read = await readDays(ledger, { days, ...query });
    return json ? asJson(read, { from, to }) : asText(read, { from, to });
  };
}

/** The days of a span, both ends included; none if it is not valid. */
function daysFrom(from: string, to: string): string[] {
  if (![from, to].every(isDay)) return [];
  const first = Date.parse(from);
  const count = (Date.parse(to) - first) / dayMs + 1;
  if (count < 1 || count > mostDays) return [];
  return Array.from({ length: count }, (_, at) => dayOf(new Date(first + at * dayMs)));
}

interface PricedDay extends Pick<Recalculation, 'version' | 'basis' | 'sums'> {
  day: string;
}

type DayQuery = Parameters<RecalculationClient['recalculate']>[0];

/** All with the version of the first answer: another one may be in force when the last day is read. */
async function readDays(
  ledger: RecalculationClient,
  { days, version, ...query }: Pick<DayQuery, 'accountId' | 'version'> & { days: readonly string[] },
): Promise<PricedDay[]> {
  const parts: PricedDay[] = [];
  for (const day of days) {
    let after: DayQuery['after'];
    do {
      const same = parts[0]?.version ?? version;
      const { next, ...part } = await ledger.recalculate({ ...query, day, version: same, after });
      parts.push({ day, ...part });
      after = next;
    } while (after !== undefined);
  }
  return parts;
}

interface Span {
  from: string;
  to: string;
}

interface Sum {
  requests: number;
  booked: Money;
  recalculated: Money;
}

/** Adds up by a name of each row, in the order of the names. */
function sumsBy(rows: readonly RecalculatedSum[], nameOf: (row: RecalculatedSum) => string): [string, Sum][] {
  return [...Map.groupBy(rows, nameOf)]
    .map(([name, those]): [string, Sum] => [name, totalOf(those)])
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
}

const totalOf = (rows: readonly RecalculatedSum[]): Sum =>
  rows.reduce(added, { requests: 0, booked: 0n, recalculated: 0n });

const added = ({ requests, booked, recalculated }: Sum, row: RecalculatedSum): Sum => ({
  requests: requests + row.requests,
  booked: booked + (readMoney(row.booked) ?? 0n),
  recalculated: recalculated + (readMoney(row.recalculated) ?? 0n),
});

const texts = ({ booked, recalculated }: Sum) => ({
  booked: moneyText(booked),
  recalculated: moneyText(recalculated),
  difference: signedMoneyText(recalculated - booked),
});

function asJson(days: readonly PricedDay[], span: Span): string {
  const byDay = days.flatMap(({ day, basis, sums }) => sums.map((sum) => ({ ...sum, day, basis })));
  const rows = [...Map.groupBy(byDay, ({ day, basis, ...sum }) => JSON.stringify([day, basis, ...placeOf(sum)]))];
  const sums = rows.map(([name, those]) => {
    const [day, basis, model, provider, of] = JSON.parse(name);
    const sum = totalOf(those);
    return { day, basis, model, provider, class: of, requests: sum.requests, ...texts(sum) };
  });
  return `${JSON.stringify({ ...span, version: days[0]?.version, sums, total: texts(totalOf(byDay)) }, undefined, 2)}\n`;
}

const placeOf = ({ model, provider, class: of }: RecalculatedSum): string[] => [model, provider, of];

function asText(days: readonly PricedDay[], { from, to }: Span): string {
  const all = days.flatMap(({ sums }) => sums);
  const head = `${from} to ${to}, priced with catalogue ${days[0]?.version}. Nothing is rewritten.\n`;
  if (all.length === 0) return `${head}The ledger has no paid requests of these days.\n`;
  const lines = sumsBy(all, (row) => placeOf(row).join('  ')).map(([name, sum]) => line(name, sum));
  return `${head}\n${lines.join('')}\n${line('all', totalOf(all))}${hints(days)}`;
}

function line(name: string, sum: Sum): string {
  const { booked, recalculated, difference } = texts(sum);
  return `${name}  booked ${booked}  recalculated ${recalculated}  difference ${difference}\n`;
}

/** What the figures leave out. */
function hints(days: readonly PricedDay[]): string {
  const summed = days.filter(({ basis, sums }) => basis === 'sums' && sums.length > 0).map(({ day }) => day);
  const isUnpriced = days.some(({ sums }) => sums.some(({ class: of }) => of === 'unpriced'));
  return [
    ...(summed.length > 0
      ? [
          `Only sums are left of ${summed.join(', ')}: prices of long prompts, service tiers and places are not applied there.\n`,
        ]
      : []),
    ...(isUnpriced ? ['For requests of the class unpriced, this version has no price.\n'] : []),
  ].join('');
}
