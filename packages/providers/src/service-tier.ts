import { longestTierName } from '@tallyport/contracts';
import { text } from './read.ts';

/** What vendors call their standard tier. */
const standardNames: ReadonlySet<string> = new Set(['default', 'on_demand', 'standard']);
/** What they say where they name no tier. */
const noNames: ReadonlySet<string> = new Set(['auto', 'traffic_type_unspecified', 'unspecified']);

/** The service tier that an answer names, `default` for the standard one; `undefined` if it names none. */
export function namedTier(reported: unknown): string | undefined {
  const name = text(reported)?.toLowerCase().slice(0, longestTierName);
  if (name === undefined || noNames.has(name)) return undefined;
  return standardNames.has(name) ? 'default' : name;
}

/** The service tier that an answer was billed in, as a member of its usage. The standard one is not named. */
export function tierOfUsage(reported: unknown): { service_tier?: string } {
  const tier = namedTier(reported);
  return tier === undefined || tier === 'default' ? {} : { service_tier: tier };
}
