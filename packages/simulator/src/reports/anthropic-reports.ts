import { type ArrivedRequest, jsonReply, type VendorRoute, type RouteAnswer } from '@tallyport/sandbox';
import { anthropicDialect } from '../anthropic/dialect.ts';
import { anthropicErrorReply, unauthorized } from '../anthropic/errors.ts';
import { basePathOf } from '../bases.ts';
import type { BillLine } from '../bill/bill.ts';
import { product } from '../bill/decimal.ts';
import { countIn, dollarsIn, lineGroups, pageOfDays, type ReportLines } from './report-lines.ts';

/** `/v1/organizations/cost_report` in cents and without keys, and `usage_report/messages` with keys. */
export function anthropicReportRoutes(linesOf: ReportLines): VendorRoute[] {
  const routeOf = (path: string, resultsOf: (lines: readonly BillLine[]) => object[]): VendorRoute => ({
    method: 'GET',
    path: new RegExp(`^${basePathOf('anthropic')}/v1/organizations/${path}$`),
    provider: 'anthropic',
    faulty: true,
    dialect: anthropicDialect,
    answer: (request) =>
      refusal(request) ?? { answer: jsonReply(200, pageOf(request, linesOf('anthropic'), resultsOf)) },
  });
  return [routeOf('cost_report', costsOf), routeOf('usage_report/messages', usageOf)];
}

function refusal({ headers }: ArrivedRequest): RouteAnswer | undefined {
  if (String(headers['x-api-key']).startsWith('sk-ant-admin')) return undefined;
  return { answer: anthropicErrorReply(unauthorized('invalid x-api-key')) };
}

function pageOf(
  { query }: ArrivedRequest,
  lines: readonly BillLine[],
  resultsOf: (lines: readonly BillLine[]) => object[],
): object {
  const parameters = new URLSearchParams(query);
  const timeOf = (name: string): number => Date.parse(parameters.get(name) ?? '');
  const period = { from: timeOf('starting_at'), until: timeOf('ending_at'), page: parameters.get('page') };
  return pageOfDays(period, (day) => ({
    starting_at: `${day}T00:00:00Z`,
    ending_at: new Date(Date.parse(day) + 86_400_000).toISOString(),
    results: resultsOf(lines.filter((line) => line.day === day)),
  }));
}

/** Thinking is billed as output, and so are compaction and advisors as what they read and wrote. */
const tokenTypes: Readonly<Record<string, string>> = {
  input: 'uncached_input_tokens',
  cache_read: 'cache_read_input_tokens',
  cache_write_5m: 'cache_creation.ephemeral_5m_input_tokens',
  cache_write_1h: 'cache_creation.ephemeral_1h_input_tokens',
  output: 'output_tokens',
  reasoning: 'output_tokens',
  compaction_input: 'uncached_input_tokens',
  compaction_output: 'output_tokens',
  advisor_input: 'uncached_input_tokens',
  advisor_output: 'output_tokens',
};

const costsOf = (lines: readonly BillLine[]): object[] => {
  const tokens = lines.flatMap((line) => {
    const type = tokenTypes[line.of];
    return type === undefined ? [] : [{ ...line, type }];
  });
  const tools = lines.filter(({ of }) => tokenTypes[of] === undefined);
  return [
    ...lineGroups(tokens, ['model', 'type', 'tier']).map(({ first, lines: same }) => ({
      ...costOf(same),
      description: `${first.model} Usage`,
      cost_type: 'tokens',
      model: first.model,
      service_tier: tierOf(first),
      token_type: first.type,
    })),
    // What is not tokens has neither a model nor a tier.
    ...lineGroups(tools, ['of']).map(({ first, lines: same }) => ({
      ...costOf(same),
      description: `${first.of} Usage`,
      cost_type: first.of,
      model: null,
      service_tier: null,
      token_type: null,
    })),
  ];
};

const costOf = (lines: readonly BillLine[]) => ({
  currency: 'USD',
  amount: product(dollarsIn(lines), '100'),
  workspace_id: null,
  context_window: null,
});

const tierOf = ({ tier }: BillLine): string => (tier === 'default' ? 'standard' : tier);

const usageOf = (lines: readonly BillLine[]): object[] =>
  lineGroups(lines, ['model', 'key', 'tier']).map(({ first, lines: same }) => ({
    uncached_input_tokens: countIn(same, 'input', 'compaction_input', 'advisor_input'),
    cache_read_input_tokens: countIn(same, 'cache_read'),
    cache_creation: {
      ephemeral_5m_input_tokens: countIn(same, 'cache_write_5m'),
      ephemeral_1h_input_tokens: countIn(same, 'cache_write_1h'),
    },
    output_tokens: countIn(same, 'output', 'reasoning', 'compaction_output', 'advisor_output'),
    server_tool_use: { web_search_requests: countIn(same, 'web_search') },
    api_key_id: first.key,
    workspace_id: null,
    model: first.model,
    service_tier: tierOf(first),
    context_window: null,
  }));
