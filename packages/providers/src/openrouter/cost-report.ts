import { type BilledLine, type CostReport, everyClass } from '../cost-reports/cost-report.ts';
import { countOf, dayIn, digitsOf, listIn, unreadable } from '../cost-reports/read-report.ts';
import { daysOf } from '../cost-reports/report-days.ts';
import { type Members, text } from '../read.ts';
import { openrouterAddress } from './address.ts';

const name = 'OpenRouter';

/** The activity by day and model, for provisioning keys. It has neither classes nor key ids, and only the last thirty days. */
export const openrouterCostReport: CostReport = {
  ...openrouterAddress,
  name,
  keyName: 'a management key',
  headers: (adminKey) => ({ authorization: `Bearer ${adminKey}` }),
  questions: (period) =>
    daysOf(period).map((date) => ({
      path: `/activity?date=${date}`,
      read(answer) {
        const results = listIn(name, answer, 'data');
        return {
          lines: results.flatMap(linesOf),
          uses: results.map((result) => ({ ...placeOf(result), requests: countOf(result['requests']), counts: {} })),
        };
      },
    })),
};

function placeOf(result: Members): { day: string; model?: string } {
  const model = text(result['model']);
  return { day: dayIn(name, result['date']), ...(model !== undefined && { model }) };
}

/** What it charges, and what vendors take of their own keys. A record has both as one cost. */
function linesOf(result: Members): BilledLine[] {
  const [amount, upstream] = [digitsOf(result['usage']), digitsOf(result['byok_usage_inference'])];
  if (amount === undefined) return unreadable(name, 'it has activity without a cost');
  const lineOf = (paid: string): BilledLine => ({ ...placeOf(result), billedClass: everyClass, amount: paid });
  return upstream === undefined || Number(upstream) === 0 ? [lineOf(amount)] : [lineOf(amount), lineOf(upstream)];
}
