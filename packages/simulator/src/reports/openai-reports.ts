import {
  type ArrivedRequest,
  bearerOf,
  invalidRequest,
  jsonReply,
  openAiDialect,
  openAiErrorBody,
  type VendorRoute,
  type RouteAnswer,
} from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import type { BillLine } from '../bill/bill.ts';
import { countIn, dollarsIn, lineGroups, pageOfDays, type ReportLines, requestsIn } from './report-lines.ts';

/** `/v1/organization/costs` and the usage of completions; the usage of other kinds is empty. */
export function openAiReportRoutes(linesOf: ReportLines): VendorRoute[] {
  const routeOf = (path: string, resultsOf: (lines: readonly BillLine[]) => object[]): VendorRoute => ({
    method: 'GET',
    path: new RegExp(`^${basePathOf('openai')}/organization/${path}$`),
    provider: 'openai',
    faulty: true,
    dialect: openAiDialect,
    answer: (request) => refusal(request) ?? { answer: jsonReply(200, pageOf(request, linesOf('openai'), resultsOf)) },
  });
  return [
    routeOf('costs', costsOf),
    routeOf('usage/completions', usageOf),
    routeOf('usage/(?:embeddings|images|audio_speeches|audio_transcriptions)', () => []),
  ];
}

function refusal({ headers }: ArrivedRequest): RouteAnswer | undefined {
  if (bearerOf(headers)?.startsWith('sk-admin-')) return undefined;
  const error = { ...invalidRequest('You have insufficient permissions for this operation.', null), status: 401 };
  return { answer: jsonReply(401, openAiErrorBody(error)) };
}

function pageOf(
  { query }: ArrivedRequest,
  lines: readonly BillLine[],
  resultsOf: (lines: readonly BillLine[]) => object[],
): object {
  const parameters = new URLSearchParams(query);
  const timeOf = (name: string): number => Number(parameters.get(name)) * 1000;
  const period = { from: timeOf('start_time'), until: timeOf('end_time'), page: parameters.get('page') };
  const page = pageOfDays(period, (day) => ({
    object: 'bucket',
    start_time: secondsOf(day),
    end_time: secondsOf(day) + 86_400,
    results: resultsOf(lines.filter((line) => line.day === day)),
  }));
  return { object: 'page', ...page };
}

const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

/** Thinking is billed as output. */
const items: Readonly<Record<string, string>> = {
  input: 'input_tokens',
  cache_read: 'cached_input_tokens',
  output: 'output_tokens',
  reasoning: 'output_tokens',
  web_search: 'web search',
};

const costsOf = (lines: readonly BillLine[]): object[] =>
  lineGroups(
    lines.map((line) => ({ ...line, item: items[line.of] ?? `${line.of}_tokens` })),
    ['model', 'key', 'item'],
  ).map(({ first, lines: same }) => ({
    object: 'organization.costs.result',
    amount: { value: Number(dollarsIn(same)), currency: 'usd' },
    line_item: `${first.model}, ${first.item}`,
    project_id: null,
    api_key_id: first.key,
    quantity: same.reduce((total, { count }) => total + count, 0),
    quantity_unit: 'tokens',
  }));

const usageOf = (lines: readonly BillLine[]): object[] =>
  lineGroups(lines, ['model', 'key', 'tier']).map(({ first, lines: same }) => ({
    object: 'organization.usage.completions.result',
    input_tokens: countIn(same, 'input', 'cache_read', 'cache_write_30m', 'cache_write_12h'),
    input_cached_tokens: countIn(same, 'cache_read'),
    output_tokens: countIn(same, 'output', 'reasoning'),
    num_model_requests: requestsIn(same),
    model: first.model,
    api_key_id: first.key,
    service_tier: first.tier,
    project_id: null,
    user_id: null,
    batch: null,
  }));
