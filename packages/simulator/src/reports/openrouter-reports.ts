import {
  bearerOf,
  invalidRequest,
  jsonReply,
  openAiDialect,
  openAiErrorBody,
  type VendorRoute,
} from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import type { BillLine } from '../bill/bill.ts';
import { product, sum } from '../bill/decimal.ts';
import { itemsOf, totalDollars } from '../bill/items.ts';
import { openrouterPrices, ownKeyFee } from '../bill/prices/openrouter.ts';
import { countIn, dollarsIn, lineGroups, type ReportGroup, type ReportLines, requestsIn } from './report-lines.ts';

/** `/api/v1/activity` of one day, by model. */
export const openRouterReportRoutes = (linesOf: ReportLines): VendorRoute[] => [
  {
    method: 'GET',
    path: new RegExp(`^${basePathOf('openrouter')}/activity$`),
    provider: 'openrouter',
    faulty: true,
    dialect: openAiDialect,
    answer({ headers, query }) {
      if (bearerOf(headers) === undefined) {
        const error = { ...invalidRequest('Only management keys can fetch activity', null), status: 403 };
        return { answer: jsonReply(403, openAiErrorBody(error)) };
      }
      const date = new URLSearchParams(query).get('date');
      const lines = linesOf('openrouter').filter(({ day }) => date === null || day === date);
      return { answer: jsonReply(200, { data: lineGroups(lines, ['day', 'model']).map(activityOf) }) };
    },
  },
];

const activityOf = ({ first, lines }: ReportGroup) => ({
  date: first.day,
  model: first.model,
  model_permaslug: first.model,
  endpoint_id: 'simulated',
  provider_name: 'Simulated',
  ...chargesIn(lines),
  requests: requestsIn(lines),
  prompt_tokens: countIn(lines, 'input', 'cache_read', 'cache_write'),
  completion_tokens: countIn(lines, 'output', 'reasoning'),
  reasoning_tokens: countIn(lines, 'reasoning'),
});

/** What it charges, and what vendors charge keys of their own. */
function chargesIn(lines: readonly BillLine[]) {
  const own = lines.filter(({ tier }) => tier === 'byok');
  const upstream = own.flatMap(({ model, of, count }) =>
    itemsOf({ model, metered: { tier: 'default', counts: [{ of, count }] } }, openrouterPrices),
  );
  const byVendors = totalDollars(upstream) ?? '0';
  const others = dollarsIn(lines.filter(({ tier }) => tier !== 'byok'));
  return { usage: Number(sum(others, product(byVendors, ownKeyFee))), byok_usage_inference: Number(byVendors) };
}
