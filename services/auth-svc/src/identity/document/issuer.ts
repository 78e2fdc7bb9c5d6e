import { z } from 'zod';
import { isLocalHost } from '@tallyport/management-server';

/** The issuer of tokens, as they name it. Plain http is accepted on this machine only. */
export const issuerSchema = z
  .string()
  .max(500)
  .refine(isIssuer, 'must be a URL that starts with https:// and has no query (http:// only on this machine)');

function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.search + url.hash + url.username + url.password !== '') return false;
  return isHttpsOrThisMachine(text);
}

/** Whether tokens and keys may be loaded from this address. */
export function isHttpsOrThisMachine(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && (url.protocol === 'https:' || isThisMachine(url));
}

export const isThisMachine = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isLocalHost(hostname);
