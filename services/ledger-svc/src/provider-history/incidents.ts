import { type RawBuilder, sql } from '@tallyport/database';
import { type Incident, newestFirst } from '@tallyport/management';
import { hourMs } from '../usage/hours.ts';

/** An hour of an offer, or of all offers of a provider. */
export interface HealthHour {
  provider: string;
  model?: string | undefined;
  /** The start of the hour. */
  at: Date;
  attempts: number;
  failed: number;
}

/** With fewer calls in an hour, a few failures would be an incident. */
export const leastAttempts = 10;
/** One failed call is no incident, although it is more than 5 % of nineteen. */
const leastFailed = 2;
const incidentBelow = 0.95;

/** Finds the incidents in hours that are ordered by provider, model and time. Newest first. */
export function incidentsIn(hours: readonly HealthHour[]): Incident[] {
  const runs: HealthHour[][] = [];
  for (const hour of hours.filter(isIll)) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && follows(last, hour)) run.push(hour);
    else runs.push([hour]);
  }
  return newestFirst(runs.flatMap(incidentOf));
}

export const successRatio = ({ attempts, failed }: Pick<HealthHour, 'attempts' | 'failed'>): number =>
  Math.round((1 - failed / attempts) * 10_000) / 10_000;

const isIll = ({ attempts, failed }: HealthHour): boolean =>
  attempts >= leastAttempts && failed >= leastFailed && 1 - failed / attempts < incidentBelow;

/** The same in SQL, of columns or expressions. Other hours need not be read. Whole numbers take a tenth of the time. */
export const isIllSql = (attempts: string, failed: string): RawBuilder<unknown> =>
  sql.raw(
    `(${attempts} >= ${leastAttempts} and ${failed} >= ${leastFailed} and 100 * ${failed} > ${Math.round(100 * (1 - incidentBelow))} * ${attempts})`,
  );

const follows = (last: HealthHour, next: HealthHour): boolean =>
  last.provider === next.provider && last.model === next.model && next.at.getTime() - last.at.getTime() === hourMs;

function incidentOf(run: readonly HealthHour[]): Incident[] {
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined) return [];
  const { provider, model, at } = first;
  const sums = {
    attempts: run.reduce((sum, { attempts }) => sum + attempts, 0),
    failed: run.reduce((sum, { failed }) => sum + failed, 0),
  };
  return [
    {
      provider,
      ...(model !== undefined && { model }),
      from: at.toISOString(),
      to: new Date(last.at.getTime() + hourMs).toISOString(),
      uptime: successRatio(sums),
    },
  ];
}
