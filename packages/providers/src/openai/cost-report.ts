import { billedClassOf } from '../cost-reports/billed-class.ts';
import type { BilledLine, CostReport, CountedUse, ReportPage, ReportPeriod } from '../cost-reports/cost-report.ts';
import { bucketQuestion, checkDollars, countOf, digitsOf, unreadable } from '../cost-reports/read-report.ts';
import { endOfPeriod, startOfDay } from '../cost-reports/report-days.ts';
import { finiteNumber, type Members, members, text } from '../read.ts';
import { openaiAddress } from './address.ts';

const name = 'OpenAI';

/** The usage reports of models. They count requests; what is billed is in the report of costs. */
const counted = ['completions', 'embeddings', 'images', 'audio_speeches', 'audio_transcriptions'];

/** The costs and the usage of an organization, for admin keys with the right to read usage. */
export const openaiCostReport: CostReport = {
  ...openaiAddress,
  name,
  keyName: 'an admin key (sk-admin-…) that may read usage',
  headers: (adminKey) => ({ authorization: `Bearer ${adminKey}` }),
  questions(period) {
    const costs = pathOf('costs', period, { group: ['line_item', 'api_key_id'], limit: 180 });
    const usage = counted.map((kind) =>
      pathOf(`usage/${kind}`, period, {
        group: kind === 'completions' ? ['model', 'api_key_id', 'service_tier'] : ['model', 'api_key_id'],
        limit: 31,
      }),
    );
    return [
      question(costs, (result, day) => ({ lines: [lineOf(result, day)], uses: [] })),
      ...usage.map((path) => question(path, (result, day) => ({ lines: [], uses: [useOf(result, day)] }))),
    ];
  },
};

interface PathOptions {
  group: readonly string[];
  /** The most days of one page. */
  limit: number;
}

function pathOf(report: string, period: ReportPeriod, { group, limit }: PathOptions): string {
  const parameters = new URLSearchParams({
    start_time: String(startOfDay(period.from) / 1000),
    end_time: String(endOfPeriod(period) / 1000),
    bucket_width: '1d',
    limit: String(limit),
  });
  for (const member of group) parameters.append('group_by[]', member);
  return `/organization/${report}?${parameters.toString()}`;
}

/** Buckets begin at a Unix time in seconds. */
const question = (path: string, read: (result: Members, day: string) => Pick<ReportPage, 'lines' | 'uses'>) =>
  bucketQuestion({ path, name, startOf: ({ start_time }) => timeOf(finiteNumber(start_time)), read });

const latestTime = 8_640_000_000_000;

const timeOf = (seconds: number | undefined): string | undefined =>
  seconds === undefined || Math.abs(seconds) > latestTime ? undefined : new Date(seconds * 1000).toISOString();

/** An item is `<model>, <class>`, or only a class for what no model was billed for. */
function lineOf(result: Members, day: string): BilledLine {
  const { value, currency } = members(result['amount']);
  const amount = digitsOf(value);
  if (amount === undefined) return unreadable(name, 'it has a cost without an amount');
  checkDollars(name, currency);
  const item = text(result['line_item']) ?? 'everything';
  const [, model, billed = item] = /^(.+), ([^,]+)$/.exec(item) ?? [];
  const keyId = text(result['api_key_id']);
  const quantity = quantityOf(result);
  return {
    day,
    ...(model !== undefined && { model }),
    billedClass: billedClassOf(billed),
    ...(keyId !== undefined && { keyId }),
    amount,
    ...(quantity !== undefined && { quantity }),
  };
}

const units: Readonly<Record<string, number>> = { tokens: 1, '1000_tokens': 1000, images: 1, characters: 1 };

function quantityOf({ quantity, quantity_unit }: Members): number | undefined {
  const each = units[text(quantity_unit) ?? 'tokens'];
  const count = finiteNumber(quantity);
  if (each === undefined || count === undefined) return undefined;
  const whole = Math.round(count * each);
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : undefined;
}

function useOf(result: Members, day: string): CountedUse {
  const [model, keyId, tier] = [text(result['model']), text(result['api_key_id']), text(result['service_tier'])];
  return {
    day,
    ...(model !== undefined && { model }),
    ...(keyId !== undefined && { keyId }),
    ...(tier !== undefined && { tier }),
    requests: countOf(result['num_model_requests']),
    counts: {},
  };
}
