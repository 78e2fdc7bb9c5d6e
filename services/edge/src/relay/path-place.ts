import { GatewayError } from '@tallyport/contracts';
import { pathEndOf, pathStartOf } from '../route-table.ts';
import type { RelayedRoute } from '../routes.ts';

/** What the open part of a path means, and where it is. */
export interface PathPlace {
  /** `rest`: the service reads everything after the start. `model`: the part is the model. */
  meaning: 'rest' | 'model';
  start: number;
  /** The length of what follows the model. */
  end: number;
}

/** `undefined` for routes without an open part. */
export function placeOf(route: RelayedRoute): PathPlace | undefined {
  const start = pathStartOf(route);
  if (start === undefined) return undefined;
  if (route.namesModel) return { meaning: 'model', start: start.length, end: pathEndOf(route).length };
  return { meaning: 'rest', start: start.length, end: 0 };
}

/** The decoded part of a URL's path. Slashes, plain or encoded, belong to it. */
export function partAt({ start, end }: PathPlace, url: string): string {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  try {
    return decodeURIComponent(path.slice(start, path.length - end));
  } catch (cause) {
    throw new GatewayError('invalid_parameters', 'The path cannot be decoded. Encode its special characters as %XX.', {
      cause,
    });
  }
}
