import type { ProviderUptimes, ProviderUptimesQuery } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { dayColumn } from '../usage/day-column.ts';
import { type HealthHour, incidentsIn, isIllSql, leastAttempts, successRatio } from './incidents.ts';
import { ofLastDays } from './last-days.ts';

interface DayRow {
  day: string;
  provider: string;
  attempts: number;
  failed: number;
}

/** More than any catalogue has in ninety days. */
const mostRows = 20_000;
const mostIncidents = 100;

/**
 * How providers answered the gateway's own keys, for people without an account. Calls with keys of accounts are left out:
 * they would show which provider a customer uses. So is the uptime of days with few calls.
 */
export async function readUptimes(
  { kysely }: Database,
  { days, incidentDays }: ProviderUptimesQuery,
): Promise<ProviderUptimes> {
  const byDay = await sql<DayRow>`
    select ${dayColumn} as day, provider, ${shared}
    from offer_days where model = '' and ${ofLastDays(days)} and attempts > own_attempts
    order by provider, day limit ${mostRows}`.execute(kysely);
  const byHour = await sql<HealthHour>`
    select at, provider, ${shared} from provider_hours where ${ofLastDays(incidentDays)}
      and ${isIllSql('(attempts - own_attempts)', '(failed - own_failed)')}
    order by provider, at limit ${mostRows}`.execute(kysely);
  return {
    providers: [...Map.groupBy(byDay.rows, ({ provider }) => provider)].map(([provider, rows]) => ({
      provider,
      days: rows.map(dayOf),
    })),
    incidents: incidentsIn(byHour.rows)
      .slice(0, mostIncidents)
      .map(({ provider, from, to, uptime }) => ({ provider, from, to, uptime })),
  };
}

const shared = sql`(attempts - own_attempts)::double precision as attempts,
  (failed - own_failed)::double precision as failed`;

const dayOf = ({ day, ...calls }: DayRow) =>
  calls.attempts < leastAttempts ? { day } : { day, uptime: successRatio(calls) };
