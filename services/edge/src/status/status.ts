import type { ProviderAvailability, ProviderUptimes } from '@tallyport/contracts';
import { byDate, lastDays, meanUptime, type UptimeDay } from '@tallyport/pages';

/** What the status page publishes. */
export interface PublicStatus {
  /** `unknown` if no provider was called on any of the days. */
  state: ProviderAvailability['state'] | 'unknown';
  at: string;
  providers: readonly ProviderStatus[];
  /** The newest first. */
  incidents: readonly StatusIncident[];
}

export interface ProviderStatus extends ProviderAvailability {
  /** The mean of the days whose uptime is known. */
  uptime: number | undefined;
  /** Every day of the period, the oldest first. */
  days: readonly UptimeDay[];
}

export interface StatusIncident {
  provider: string;
  from: string;
  /** Absent while it lasts. */
  to?: string;
  uptime: number;
}

export const statusPeriods = { days: 90, incidentDays: 14 } as const;

export interface StatusSources {
  uptimes: ProviderUptimes;
  available: readonly ProviderAvailability[];
  now: number;
}

/** Only providers with a key of the gateway that were called: others say something about a customer. */
export function publicStatus({ uptimes, available, now }: StatusSources): PublicStatus {
  const names = new Set(available.map(({ provider }) => provider));
  const incidents = uptimes.incidents.filter(({ provider }) => names.has(provider)).map(endedBy(now));
  const dates = lastDays(statusPeriods.days, now);
  const providers = available.flatMap(({ provider, state }): ProviderStatus[] => {
    const own = uptimes.providers.find((each) => each.provider === provider);
    if (own === undefined) return [];
    const days = byDate(own.days, dates);
    const isIll = incidents.some((incident) => incident.provider === provider && incident.to === undefined);
    return [{ provider, state: state === 'operational' && isIll ? 'degraded' : state, uptime: meanUptime(days), days }];
  });
  return {
    state: overall(providers),
    at: new Date(now).toISOString(),
    providers: providers.toSorted((one, other) => (one.provider < other.provider ? -1 : 1)),
    incidents,
  };
}

/** Incidents have whole hours: one lasts while its last hour does. */
const endedBy =
  (now: number) =>
  ({ provider, from, to, uptime }: ProviderUptimes['incidents'][number]): StatusIncident => ({
    provider,
    from,
    ...(Date.parse(to) <= now && { to }),
    uptime,
  });

function overall(providers: readonly ProviderStatus[]): PublicStatus['state'] {
  if (providers.length === 0) return 'unknown';
  if (providers.every(({ state }) => state === 'operational')) return 'operational';
  return providers.every(({ state }) => state === 'outage') ? 'outage' : 'degraded';
}

export const stateTexts: Readonly<Record<PublicStatus['state'], string>> = {
  operational: 'All providers are operational',
  degraded: 'Some providers have problems',
  outage: 'No provider answers',
  unknown: 'No provider has been called yet',
};
