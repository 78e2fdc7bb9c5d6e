import { type Bill, countCalls, dollarsOf, type LedgerLine, readBills, readLedger } from './books.ts';
import type { MoneySystem } from './system.ts';
import type { ClientRequest } from './client.ts';
import type { Trial } from './trial.ts';

export interface Findings {
  /** Complete answers without a ledger line. */
  missing: string[];
  /**
   * More lines than requests, except for replicas that called a vendor before they were dismissed; and repeated ids.
   */
  twice: string[];
  /** Lines with reported usage that match no bill in every class, the tier and the dollars. */
  unbilled: string[];
  /** Bills without a line, although no process that served the request was killed before its end. */
  unbooked: string[];
  /** Lines whose cost does not match their tokens. */
  wrongCost: string[];
  /** Answers whose `usage.cost` is in no line, and complete chats without one. */
  wrongAnswer: string[];
  lines: number;
  bills: number;
}

/** Time until the usage of a client that left is in the journal or in a file. */
const bookedMs = 1_000;

/** Compares the answers of clients, the bills of vendors and the ledger. */
export async function compareBooks(system: MoneySystem, { requests, kills }: Trial): Promise<Findings> {
  const lines = (await readLedger(system)).filter((line) => !isUnnamed(line));
  const bills = readBills(system);
  const calls = countCalls(system);
  const linesOf = Map.groupBy(lines, ({ mark }) => mark);
  const billsOf = Map.groupBy(bills, ({ mark }) => mark);
  const asksOf = Map.groupBy(requests, ({ mark }) => mark);
  const ids = new Set(lines.map(({ id }) => id));
  const deaths = kills.filter(({ name }) => name === 'chat-svc' || name === 'compact');
  const isCut = ({ whole, left, hit, from, until }: ClientRequest): boolean =>
    !whole && !hit && (!left || deaths.some(({ at }) => at >= from && at <= until + bookedMs));
  return {
    missing: [...asksOf].flatMap(([mark, asks]) => {
      const seen = asks.filter(({ whole }) => whole).length;
      const served = (linesOf.get(mark) ?? []).filter(isOfProvider).length;
      return served < seen ? [`${mark}: ${seen} seen, ${served} in the ledger`] : [];
    }),
    twice: [
      ...(ids.size === lines.length ? [] : ['an id is repeated']),
      ...[...linesOf].flatMap(([mark, of]) =>
        hasTooMany(of, asksOf.get(mark) ?? [], calls.get(mark) ?? 0)
          ? [`${mark}: ${describe(of, asksOf.get(mark))}`]
          : [],
      ),
    ],
    unbooked: [...billsOf].flatMap(([mark, of]) => {
      const asks = asksOf.get(mark) ?? [];
      const booked = (linesOf.get(mark) ?? []).filter(({ cached }) => !cached).length;
      if (booked >= of.length || asks.some(isCut)) return [];
      return [`${mark}: ${of.length} billed, ${booked} in the ledger: ${describe(linesOf.get(mark) ?? [], asks)}`];
    }),
    unbilled: [...linesOf].flatMap(([mark, of]) => unbilled(of, billsOf.get(mark) ?? [])),
    wrongCost: lines
      .filter((line) => isWrong(system, line))
      .map((line) => `${line.id}: ${describeCost(line)}, not $${dollarsOf(system, line)}`),
    wrongAnswer: requests.flatMap(({ mark, cost, lacksCost }) => {
      if (lacksCost) return [`${mark}: no cost`];
      return cost === undefined || (linesOf.get(mark) ?? []).some((line) => Number(line.cost) === Number(cost))
        ? []
        : [`${mark}: $${cost}, ${(linesOf.get(mark) ?? []).map((line) => `$${line.cost}`).join(', ')} in the ledger`];
    }),
    lines: lines.length,
    bills: bills.length,
  };
}

/** Refused before it was read, and free: a message on a socket, whose mark is in it. */
const isUnnamed = ({ mark, provider, cost }: LedgerLine): boolean =>
  mark.startsWith('req_') && provider === '' && cost === '0';

/**
 * A request has one line. A replica that called a vendor before the request moved to another one adds a line for that
 * bill.
 */
function hasTooMany(lines: readonly LedgerLine[], asks: readonly ClientRequest[], calls: number): boolean {
  const billed = lines.filter(({ provider, cached }) => !cached && provider !== '').length;
  const own = Math.max(asks.filter(({ whole }) => whole).length, asks.length - (lines.length - billed));
  return lines.length - asks.length > Math.max(0, Math.min(billed, calls) - own);
}

const isOfProvider = ({ provider, cached }: LedgerLine): boolean => cached || provider !== '';

function describe(lines: readonly LedgerLine[], asks: readonly ClientRequest[] = []): string {
  const booked = lines.map((line) => `${line.source} ${textOf(line)}`);
  const results = asks.map(
    ({ result, from, until }) => `${result} after ${until - from} ms at ${new Date(from).toISOString()}`,
  );
  return `${booked.join(', ')} for ${results.join(', ')}`;
}

/** Each line with reported usage needs a separate bill with the same figures. */
function unbilled(lines: readonly LedgerLine[], bills: readonly Bill[]): string[] {
  const left = [...bills];
  return lines.flatMap((line) => {
    if (line.source !== 'reported' || line.cached) return [];
    const at = left.findIndex(
      (bill) => textOf(bill) === textOf(line) && bill.dollars === line.cost && bill.hasUnknown === line.lacksPrice,
    );
    if (at < 0) return [`${line.mark}: ${textOf(line)} $${line.cost} of ${JSON.stringify(bills)}`];
    left.splice(at, 1);
    return [];
  });
}

/** Provider, tier and counts by class, in one order. */
const textOf = ({ provider, tier, counts }: Pick<LedgerLine, 'provider' | 'tier' | 'counts'>): string =>
  [
    provider,
    tier,
    ...Object.entries(counts)
      .map(([name, count]) => `${name}=${count}`)
      .toSorted(),
  ].join(' ');

const describeCost = (line: LedgerLine): string => `${line.source} ${textOf(line)} of ${line.model}: $${line.cost}`;

/** The cost of estimated lines follows from their own counts; those of reported lines are compared with the bills. */
function isWrong(system: MoneySystem, line: LedgerLine): boolean {
  const { cached, provider, source, cost } = line;
  if (cached || provider === '') return cost !== '0';
  if (source === 'none') return Number(cost ?? 0) !== 0;
  return source === 'estimated' && cost !== dollarsOf(system, line);
}
