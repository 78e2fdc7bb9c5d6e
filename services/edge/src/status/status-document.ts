import { type PublicStatus, statusPeriods, stateTexts } from './status.ts';

/** The status for programs, in the style of the API. Days without a known uptime are left out. */
export const statusDocument = ({ state, at, providers, incidents }: PublicStatus) => ({
  object: 'status',
  status: state,
  description: stateTexts[state],
  updated_at: at,
  period_days: statusPeriods.days,
  providers: providers.map(({ provider, state: status, uptime, days }) => ({
    provider,
    status,
    uptime: uptime === undefined ? null : Math.floor(uptime * 10_000) / 10_000,
    days: days.filter((day) => day.uptime !== undefined),
  })),
  incidents: incidents.map(({ provider, from, to, uptime }) => ({
    provider,
    started_at: from,
    ended_at: to ?? null,
    resolved: to !== undefined,
    uptime,
  })),
});
