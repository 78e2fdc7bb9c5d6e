import { GatewayError } from '@tallyport/contracts';
import { UrlRefusal, type UrlRules, checkUrl } from '@tallyport/outbound';

/**
 * Throws `invalid_parameters` for a URL to which services would not connect. The addresses of a host name are checked
 * for each connection.
 */
export function checkPublicUrl(text: string, param: string, rules: UrlRules): void {
  try {
    checkUrl(text, rules);
  } catch (cause) {
    if (!(cause instanceof UrlRefusal)) throw cause;
    const message = `\`${param}\`: must be an https URL at a public address, or at a private one of the setting PRIVATE_TARGETS, without a user name or password.`;
    throw new GatewayError('invalid_parameters', message, { param, cause });
  }
}
