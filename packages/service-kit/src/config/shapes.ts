import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Schemas for environment variables. Each parses text, and its error says what is expected. */

export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER) {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const message = `must be a whole number ${range}`;
  return z
    .string(message)
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

/** 0 lets the system choose. */
export const port = wholeNumber(0, 65_535);

export const milliseconds = wholeNumber(1, 86_400_000);

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`);
}

export const flag = z
  .enum(['true', '1', 'false', '0'], 'must be true or false')
  .transform((text) => /true|1/.test(text));

/** A comma-separated list, without empty parts and duplicates. */
export const list = z
  .string('must be a comma-separated list')
  .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== ''));

/** A comma-separated list of some of these values, each once. */
export const chosenOf = <const Value extends string>(values: readonly Value[]) =>
  list.pipe(z.array(z.enum(values, `must be a comma-separated list of ${values.join(', ')}`)));

/** The path of a file, read into the text of the file. */
export const fileText = z.string().transform((path, context) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    context.addIssue({ code: 'custom', message: 'must be the path of a file that can be read' });
    return z.NEVER;
  }
});

/** An address with one of these schemes. Trailing slashes are removed, so that paths can be appended. */
export function addressWithScheme(...schemes: readonly string[]) {
  const message = `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return z
    .string(message)
    .refine((text) => isAddress(text, schemes), message)
    .transform((text) => text.replace(/\/+$/, ''));
}

export const httpAddress = addressWithScheme('http', 'https');

/** Several addresses of one cluster, separated by commas. */
export function addressesWithScheme(...schemes: readonly string[]) {
  const one = addressWithScheme(...schemes);
  return list.pipe(z.array(one).min(1, 'must name at least one address')).transform((addresses) => addresses.join(','));
}

/** One Redis, the Sentinels of one, or nodes of a cluster; @tallyport/store reads the parts. */
export const redisLocation = z
  .string()
  .refine(
    (text) => isAddress(text.replace(sentinelsOrNodes, '$1://host'), ['redis', 'rediss']),
    'must be an address that starts with redis:// or rediss://, Sentinels and their primary: redis+sentinel://host:26379,host:26379/primary, or nodes of a cluster: redis+cluster://host:6379,host:6379 without a database number',
  )
  .transform((text) => text.replace(/\/+$/, ''));

/** A cluster has no database numbers. */
const sentinelsOrNodes = /^(rediss?)\+(?:sentinel:\/\/(?:[^/]*@)?[^/]+\/.+|cluster:\/\/(?:[^/]*@)?[^/]+\/*)$/;

function isAddress(text: string, schemes: readonly string[]): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && schemes.includes(url.protocol.slice(0, -1)) && text.includes('://') && url.host !== '';
}
