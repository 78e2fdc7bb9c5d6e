import { type Billed, type Line, readBills, readLedger } from './books.ts';
import type { MoneySystem } from './system.ts';
import type { Asked, Trial } from './trial.ts';

export interface Findings {
  /** Answers that clients saw the end of, without a line of their own. */
  missing: string[];
  /** Lines with more ids than answers, or ids that come twice. */
  twice: string[];
  /** Lines as their provider told them, that no provider would bill like that. */
  unbilled: string[];
  /** Answers that a vendor bills and no line stands for, though nobody who worked on them was killed before they had ended. */
  unbooked: string[];
  /** Lines whose cost is not that of their tokens. */
  wrongCost: string[];
  lines: number;
  bills: number;
}

/** What a client that left had got is in the journal, or in a file, so long after it at the latest. */
const bookedMs = 1_000;

const costOf = ({ prompt, completion }: Pick<Line, 'prompt' | 'completion'>): string =>
  String(BigInt(prompt) + BigInt(completion) * 1_000n);

/** Holds what clients saw, what vendors would bill and what the ledger says against each other. */
export async function compareBooks(system: MoneySystem, { asked, kills }: Trial): Promise<Findings> {
  const lines = await readLedger(system);
  const bills = readBills(system);
  const linesOf = Map.groupBy(lines, ({ mark }) => mark);
  const billsOf = Map.groupBy(bills, ({ mark }) => mark);
  const asksOf = Map.groupBy(asked, ({ mark }) => mark);
  const ids = new Set(lines.map(({ id }) => id));
  const deaths = kills.filter(({ name }) => name === 'chat-svc');
  const isCut = ({ whole, left, hit, from, until }: Asked): boolean =>
    !whole && !hit && (!left || deaths.some(({ at }) => at >= from && at <= until + bookedMs));
  return {
    missing: [...asksOf].flatMap(([mark, asks]) => {
      const seen = asks.filter(({ whole }) => whole).length;
      const served = (linesOf.get(mark) ?? []).filter(({ provider, cached }) => cached || provider !== '').length;
      return served < seen ? [`${mark}: ${seen} seen, ${served} in the ledger`] : [];
    }),
    twice: [
      ...(ids.size === lines.length ? [] : ['an id comes twice']),
      ...[...linesOf].flatMap(([mark, of]) => (of.length > (asksOf.get(mark)?.length ?? 0) ? [mark] : [])),
    ],
    unbooked: [...billsOf].flatMap(([mark, of]) => {
      const asks = asksOf.get(mark) ?? [];
      const booked = (linesOf.get(mark) ?? []).filter(({ cached }) => !cached).length;
      return booked < of.length && !asks.some(isCut) ? [`${mark}: ${of.length} billed, ${booked} in the ledger`] : [];
    }),
    unbilled: [...linesOf].flatMap(([mark, of]) => unbilled(of, billsOf.get(mark) ?? [])),
    wrongCost: lines.filter((line) => microsOf(line.cost) !== (line.cached ? '0' : costOf(line))).map(({ id }) => id),
    lines: lines.length,
    bills: bills.length,
  };
}

/** Each line that a provider's own figures stand in needs a bill of its own with the same figures. */
function unbilled(lines: readonly Line[], bills: readonly Billed[]): string[] {
  const left = [...bills];
  return lines.flatMap((line) => {
    if (line.source !== 'reported' || line.cached) return [];
    const at = left.findIndex(
      ({ provider, prompt, completion }) =>
        provider === line.provider && prompt === line.prompt && completion === line.completion,
    );
    if (at < 0) return [`${line.mark}: ${line.provider} ${line.prompt}+${line.completion} of ${JSON.stringify(bills)}`];
    left.splice(at, 1);
    return [];
  });
}

/** Millionths of a dollar: every price of the trial is a whole number of them. */
function microsOf(cost: string | null): string {
  const [whole = '0', fraction = ''] = (cost ?? '').split('.');
  return String(BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6)));
}
