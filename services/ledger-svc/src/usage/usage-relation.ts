import { type RawBuilder, sql } from '@tallyport/database';
import type { Grouping, TallyGrouping, UsageDimension } from '@tallyport/management';
import { endUserErrors, type EndUserOf, endUserUsage } from './end-user-relation.ts';
import { rowsOfSpan, type DaySpan } from './weeks.ts';
import { summedColumns } from './write-usage.ts';

interface Source {
  /** Of all requests. */
  all: string;
  /** Of requests of projects, with `project_id`. */
  projects: string;
  /** Of all requests by one dimension, or by none. */
  summary: string;
  summarized: readonly SummaryDimension[];
  /** Of all requests by model and provider. */
  offers?: string;
  place: readonly string[];
  /** The columns of a place that summaries have as well. */
  also: readonly string[];
  /** The columns that are added up. */
  amounts: readonly string[];
}

type SummaryDimension = UsageDimension | 'all';

const place = ['account_id', 'at', 'key_id', 'model', 'provider'];
const anyOne = ['all', 'model', 'provider', 'key', 'project'] as const;
const sums = { place: [...place, 'own_key'], also: ['own_key'], amounts: summedColumns };
const tallies = { place: [...place, 'measure', 'value'], also: ['measure', 'value'], amounts: ['requests'] };
const wholeOnly = ['all', 'project'] as const;
const ofHours = { all: 'usage_hours', projects: 'project_hours', ...sums };
const ofDays = { all: 'usage_days', projects: 'project_days', offers: 'usage_offer_days', ...sums };
const ofTallies = { all: 'usage_tallies', projects: 'project_tallies', ...tallies };

const sources = {
  hours: { ...ofHours, summary: 'usage_summary_hours', summarized: anyOne },
  days: { ...ofDays, summary: 'usage_summary_days', summarized: anyOne },
  /** A span of days as a whole: read by weeks where there is a summary. */
  span: { ...ofDays, summary: 'usage_summary', summarized: anyOne },
  errorHours: { ...ofTallies, summary: 'tally_summary_hours', summarized: wholeOnly },
  /** Of whole days. */
  errorDays: { ...ofTallies, summary: 'tally_summary_days', summarized: anyOne },
} as const satisfies Record<string, Source>;

/** When and by what a query selects requests. */
export interface UsedDimensions extends DaySpan {
  keyId?: string | undefined;
  projectId?: string | undefined;
  userId?: string | undefined;
  memberId?: string | undefined;
  model?: string | undefined;
  provider?: string | undefined;
  endUser?: EndUserOf | undefined;
}

/**
 * The table of a query: a summary if it is about one dimension at most, or about models and providers. One about projects
 * reads a relation with `project_id`, which is empty outside projects.
 */
export function usageRelation(
  name: keyof typeof sources,
  used: UsedDimensions,
  by: readonly (Grouping | TallyGrouping)[] = [],
): RawBuilder<unknown> {
  const source: Source = sources[name];
  if (used.endUser !== undefined) return ofEndUser(name, used.endUser, used);
  const dimensions = dimensionsIn(used, by);
  const dimension = summarizedBy(source, dimensions);
  if (dimension !== undefined) return sql`(${summaryOf(source, dimension, used)}) as usage`;
  if (dimensions.includes('project')) return withProjects(source);
  return sql.raw((!dimensions.includes('key') && source.offers) || source.all);
}

/**
 * The same with some groups of a dimension, and all others as one without a name: all usage less that of the groups. So
 * the others need not be read one by one. `undefined` if there is no summary for it.
 */
export function usageWithOthers(
  name: keyof typeof sumsOfInterval,
  used: UsedDimensions,
  { by, groups }: { by: UsageDimension; groups: readonly string[] },
): RawBuilder<unknown> | undefined {
  const source: Source = sources[sumsOfInterval[name]];
  const dimension = summarizedBy(source, dimensionsIn(used, [by]));
  if (dimension === undefined || dimension === 'project' || groups.length === 0) return undefined;
  if (used.endUser !== undefined) return undefined;
  const column = sql.ref(columns[by]);
  const amounts = (sign: string) => sql.raw(source.amounts.map((amount) => `${sign}${amount} as ${amount}`).join(', '));
  // Each shown row is read once, and taken twice.
  return sql`(
    select account_id, at, case when sign = 1 then ${column} end as ${column}, own_key, ${amounts('sign * ')}
    from (${summaryOf(source, dimension, used)}) as shown cross join (values (1), (-1)) as signs(sign)
    where ${column} in (${sql.join(groups)})
    union all select account_id, at, null, own_key, ${amounts('')} from (${summaryOf(source, 'all', used)}) as whole
  ) as usage`;
}

function ofEndUser(name: keyof typeof sources, endUser: EndUserOf, span: DaySpan): RawBuilder<unknown> {
  if (name === 'errorHours' || name === 'errorDays') return endUserErrors(endUser, span);
  return endUserUsage(endUser, span, name === 'days' ? 'day' : 'hour');
}

export const sumsOfInterval = { hour: 'hours', day: 'days', period: 'span' } as const;

function summarizedBy(
  { summarized }: Source,
  [only = 'all', ...others]: readonly SummaryDimension[],
): SummaryDimension | undefined {
  return others.length === 0 && summarized.includes(only) ? only : undefined;
}

export function dimensionsIn(
  used: Omit<UsedDimensions, keyof DaySpan>,
  by: readonly (Grouping | TallyGrouping)[],
): UsageDimension[] {
  const isUsed: Record<UsageDimension, boolean> = {
    model: used.model !== undefined || by.includes('model'),
    provider: used.provider !== undefined || by.includes('provider'),
    key: [used.keyId, used.userId, used.memberId].some((id) => id !== undefined) || by.includes('key'),
    project: used.projectId !== undefined || by.includes('project'),
  };
  return (['model', 'provider', 'key', 'project'] as const).filter((dimension) => isUsed[dimension]);
}

const columns = { model: 'model', provider: 'provider', key: 'key_id', project: 'project_id' } as const;

/** The summaries of tallies call the value of the dimension `name`, because `value` is that of the measure. */
const valueIn = ({ place: columnsOfPlace }: Source): string => (columnsOfPlace.includes('value') ? 'name' : 'value');

function summaryOf(source: Source, dimension: SummaryDimension, span: DaySpan): RawBuilder<unknown> {
  const { summary, also, amounts } = source;
  const table = summary === sources.span.summary ? rowsOfSpan(summary, span) : sql.table(summary);
  const common = ['account_id', 'at', ...also].join(', ');
  const rows = (of: SummaryDimension, value: string, sign = '') => {
    const summed = amounts.map((amount) => `${sign}${amount} as ${amount}`).join(', ');
    // The row of the whole has no name; the index needs it to find the time.
    const only = of === 'all' ? ` and ${valueIn(source)} = ''` : '';
    return sql`select ${sql.raw(`${common}${value}, ${summed}`)} from ${table} where ${sql.raw(`dimension = '${of}'${only}`)}`;
  };
  if (dimension === 'all') return rows('all', '');
  const own = rows(dimension, `, ${valueIn(source)} as ${columns[dimension]}`);
  if (dimension !== 'project') return own;
  const outside = `, '' as project_id`;
  return sql`${own} union all ${rows('all', outside)} union all ${rows('project', outside, '-')}`;
}

/** Usage outside projects is all usage less that of projects. */
function withProjects({ all, projects, place: columnsOfPlace, amounts }: Source): RawBuilder<unknown> {
  const places = columnsOfPlace.join(', ');
  const negative = amounts.map((amount) => `-${amount}`).join(', ');
  return sql.raw(`(
    select ${places}, project_id, ${amounts.join(', ')} from ${projects}
    union all select ${places}, '', ${amounts.join(', ')} from ${all}
    union all select ${places}, '', ${negative} from ${projects}
  ) as usage`);
}
