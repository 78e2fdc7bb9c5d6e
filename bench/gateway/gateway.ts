import type { Options } from '../options.ts';
import type { System } from '../system.ts';

export function startGateway(_upstreamPort: number, _options: Options): Promise<System> {
  throw new Error('the gateway cannot be started yet');
}
