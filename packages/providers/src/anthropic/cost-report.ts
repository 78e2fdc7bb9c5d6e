import { billedClassOf } from '../cost-reports/billed-class.ts';
import type { BilledLine, CostReport, CountedUse, ReportPage, ReportPeriod } from '../cost-reports/cost-report.ts';
import {
  bucketQuestion,
  checkDollars,
  countOf,
  digitsOf,
  hundredthOf,
  unreadable,
} from '../cost-reports/read-report.ts';
import { endOfPeriod } from '../cost-reports/report-days.ts';
import { type Members, members, text } from '../read.ts';
import { anthropicAddress } from './address.ts';
import { anthropicVersion } from './native-fit.ts';

const name = 'Anthropic';

/** The costs and the usage of an organization, for its admin keys. Costs have no key ids, usage has. */
export const anthropicCostReport: CostReport = {
  ...anthropicAddress,
  name,
  keyName: 'an admin key (sk-ant-admin…)',
  headers: (adminKey) => ({ 'x-api-key': adminKey, 'anthropic-version': anthropicVersion }),
  questions: (period) => [
    question(pathOf('cost_report', period, ['description']), (result, day) => ({
      lines: [lineOf(result, day)],
      uses: [],
    })),
    question(pathOf('usage_report/messages', period, ['api_key_id', 'model', 'service_tier']), (result, day) => ({
      lines: [],
      uses: [useOf(result, day)],
    })),
  ],
};

function pathOf(report: string, period: ReportPeriod, group: readonly string[]): string {
  const end = new Date(endOfPeriod(period)).toISOString();
  const parameters = new URLSearchParams({
    starting_at: `${period.from}T00:00:00Z`,
    ending_at: end.replace('.000', ''),
    bucket_width: '1d',
    limit: '31',
  });
  for (const member of group) parameters.append('group_by[]', member);
  return `/organizations/${report}?${parameters.toString()}`;
}

const question = (path: string, read: (result: Members, day: string) => Pick<ReportPage, 'lines' | 'uses'>) =>
  bucketQuestion({ path, name, startOf: ({ starting_at }) => starting_at, read });

/** Amounts are text in cents. */
function lineOf(result: Members, day: string): BilledLine {
  const cents = digitsOf(result['amount']);
  if (cents === undefined) return unreadable(name, 'it has a cost without an amount');
  checkDollars(name, result['currency']);
  const [model, tier] = [text(result['model']), text(result['service_tier'])];
  const billed = text(result['token_type']) ?? text(result['cost_type']) ?? text(result['description']) ?? 'everything';
  return {
    day,
    ...(model !== undefined && { model }),
    billedClass: billedClassOf(billed),
    ...(tier !== undefined && { tier }),
    amount: hundredthOf(cents),
  };
}

function useOf(result: Members, day: string): CountedUse {
  const [model, keyId, tier] = [text(result['model']), text(result['api_key_id']), text(result['service_tier'])];
  const writes = members(result['cache_creation']);
  return {
    day,
    ...(model !== undefined && { model }),
    ...(keyId !== undefined && { keyId }),
    ...(tier !== undefined && { tier }),
    counts: {
      input: countOf(result['uncached_input_tokens']),
      cacheRead: countOf(result['cache_read_input_tokens']),
      cacheWrite: countOf(writes['ephemeral_5m_input_tokens']),
      cacheWrite1h: countOf(writes['ephemeral_1h_input_tokens']),
      output: countOf(result['output_tokens']),
      webSearches: countOf(members(result['server_tool_use'])['web_search_requests']),
    },
  };
}
