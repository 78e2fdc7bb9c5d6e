import type { LookupAddress } from 'node:dns';
import { checkAddress, type UrlRules } from '../address/check-url.ts';
import type { Lookup } from './cached-lookup.ts';

/**
 * Fails for a name that the rules forbid, whenever it is used: also if its addresses were remembered. One forbidden
 * address makes the whole name forbidden: mixed results suggest an attempt to bypass the check.
 */
export const checkedLookup =
  (lookup: Lookup, rules: UrlRules): Lookup =>
  (hostname, options, callback) =>
    lookup(hostname, options, (error, addresses) => {
      const refusal = error ?? refusalOf(addresses, { host: hostname, ...rules });
      callback(refusal ?? null, refusal === undefined ? addresses : []);
    });

function refusalOf(addresses: readonly LookupAddress[], rules: UrlRules & { host: string }): Error | undefined {
  try {
    for (const { address } of addresses) checkAddress(address, rules);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}
