import { GatewayError } from '@tallyport/contracts';

/** Returns the decoded rest of a URL's path after `start`. Slashes, plain or encoded, belong to it. */
export function pathAfter(start: string, url: string): string {
  const mark = url.indexOf('?');
  const rest = url.slice(start.length, mark < 0 ? undefined : mark);
  try {
    return decodeURIComponent(rest);
  } catch (cause) {
    throw new GatewayError('invalid_parameters', 'The path cannot be decoded. Encode its special characters as %XX.', {
      cause,
    });
  }
}
