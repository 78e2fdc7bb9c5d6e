import incidents from './incidents.json' with { type: 'json' };

/** How an attempt fails, and the usual time until then. */
export interface DemoFailure {
  error: string;
  /** In the provider's words. */
  text: string;
  status: number | null;
  ms: number;
}

/** Failures outside incidents, with their weights. */
const everyday: readonly (readonly [DemoFailure, number])[] = [
  [
    {
      error: 'provider_server_error',
      text: 'The server had an error while processing your request',
      status: 500,
      ms: 320,
    },
    4,
  ],
  [{ error: 'provider_rate_limited', text: 'Rate limit reached, try again in a moment', status: 429, ms: 130 }, 3],
  [{ error: 'provider_connection_failed', text: 'closed the connection', status: null, ms: 60 }, 2],
  [{ error: 'provider_timeout', text: 'sent nothing for 12 seconds', status: null, ms: 12_000 }, 1],
];

const everydayShare = 0.01;

/** How often attempts at the provider fail at this time (hours in UTC), and how. */
export function failuresAt(
  provider: string,
  { daysAgo, hour }: { daysAgo: number; hour: number },
): { share: number; failures: readonly (readonly [DemoFailure, number])[] } {
  const incident = incidents.find(
    (each) => each.provider === provider && each.daysAgo === daysAgo && hour >= each.fromHour && hour < each.untilHour,
  );
  if (incident === undefined) return { share: everydayShare, failures: everyday };
  return { share: incident.failing, failures: [[incident, 1]] };
}
