import { GatewayError, type RequestHead } from '@tallyport/contracts';
import { type PrefixFallback, prefixFallbacks } from '../settings.ts';

/** When an offer other than the first may answer. `never`: one attempt, only at the requested provider. */
export type Fallback = 'never' | PrefixFallback;

/**
 * What the client asks for with `X-No-Fallback` or `X-Fallback`; the first one wins. `undefined`: the setting decides.
 * Throws `invalid_parameters` for an unknown value.
 */
export function askedFallback({ headers }: Pick<RequestHead, 'headers'>): Fallback | undefined {
  if (/^(true|1)$/i.test(headers['x-no-fallback'] ?? '')) return 'never';
  const asked = headers['x-fallback'];
  if (asked === undefined) return undefined;
  const known = prefixFallbacks.find((each) => each === asked.toLowerCase());
  if (known !== undefined) return known;
  const message = `The header X-Fallback must be ${prefixFallbacks.map((each) => `\`${each}\``).join(' or ')}.`;
  throw new GatewayError('invalid_parameters', message, { param: 'X-Fallback' });
}
