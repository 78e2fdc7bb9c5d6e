import type { GatewayApi } from '../gateway/gateway-api.ts';
import { providersWithKeys } from './view.ts';

/** Built-in providers that accept a key, and all providers of the catalogue, which has those of the operator. */
export async function readProviders({ api }: { api: Pick<GatewayApi, 'listStandings'> }): Promise<readonly string[]> {
  const [builtIn, standings] = await Promise.all([providersWithKeys(), api.listStandings()]);
  return [...new Set([...builtIn, ...standings.map(({ provider }) => provider)])].toSorted();
}

/** The id of a provider that was entered in another case, such as `OpenAI`; anything else as it is. */
export const asProviderId = (entered: string, providers: readonly string[]): string =>
  providers.find((id) => id === entered) ??
  providers.find((id) => id.toLowerCase() === entered.toLowerCase()) ??
  entered;
