import type { LoadedRoute } from '@tallyport/contracts';
import type { CompiledRoute } from './compile.ts';
import { bitsOf } from './weights.ts';

export type RouteShadow = NonNullable<LoadedRoute['shadow']>;

/**
 * The shadow of the route, if this request is in its share. Requests are drawn one by one, by a hash of their ids, so that a
 * few long conversations are not the whole sample.
 */
export function shadowOf(
  { name, route: { shadow } }: Pick<CompiledRoute, 'name' | 'route'>,
  requestId: string,
): RouteShadow | undefined {
  if (shadow === undefined) return undefined;
  const { low } = bitsOf(`${name}\0shadow\0${requestId}`);
  return low < (shadow.percent / 100) * 2 ** 32 ? shadow : undefined;
}
