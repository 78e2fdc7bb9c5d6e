import { type Catalogue, GatewayError } from '@switchyard/contracts';
import { chatProviders, findChatProvider } from '@switchyard/providers';

/**
 * Throws `invalid_parameters` for a provider nobody can have a key at. The catalogue is asked only for those that are not
 * built in; while it is away they cannot be told from typing errors, and `unavailable` comes through.
 */
export async function checkProvider(provider: string, catalogue: () => Promise<Catalogue>): Promise<void> {
  const builtIn = findChatProvider(provider);
  const takesKey = builtIn === undefined ? customTakesKey(provider, await catalogue()) : builtIn.auth.kind !== 'none';
  if (takesKey === undefined) throw refused('There is no such provider. GET /v1/providers lists all.');
  if (!takesKey) throw refused(`${provider} takes no key.`);
}

/** Those built in that anybody can have a key at. */
export const providersWithKeys: readonly string[] = chatProviders
  .filter(({ auth }) => auth.kind !== 'none')
  .map(({ id }) => id);

function customTakesKey(provider: string, { providers = [] }: Catalogue): boolean | undefined {
  const custom = providers.find(({ id }) => id === provider);
  return custom && custom.needsKey !== false;
}

const refused = (message: string): GatewayError =>
  new GatewayError('invalid_parameters', `\`provider\`: ${message}`, { param: 'provider' });
