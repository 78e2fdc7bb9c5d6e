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
          lines: results.map(lineOf),
          uses: results.map((result) => ({ ...placeOf(result), requests: countOf(result['requests']), counts: {} })),
        };
      },
    })),
};

function placeOf(result: Members): { day: string; model?: string } {
  const model = text(result['model']);
  return { day: dayIn(name, result['date']), ...(model !== undefined && { model }) };
}

function lineOf(result: Members): BilledLine {
  const amount = digitsOf(result['usage']);
  if (amount === undefined) return unreadable(name, 'it has activity without a cost');
  return { ...placeOf(result), billedClass: everyClass, amount };
}
