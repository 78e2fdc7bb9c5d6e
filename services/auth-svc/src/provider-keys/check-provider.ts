import { type Catalogue, GatewayError } from '@tallyport/contracts';

/**
 * Throws `invalid_parameters` for a provider that accepts no key. The catalogue is only read for providers that are not
 * built in; while it is not available, they cannot be distinguished from typing errors, and `unavailable` is thrown.
 */
export async function checkProvider(provider: string, catalogue: () => Promise<Catalogue>): Promise<void> {
  // Loaded only when it is used: all providers take 13 MB of memory.
  const { findChatProvider } = await import('@tallyport/providers');
  const builtIn = findChatProvider(provider);
  const acceptsKey =
    builtIn === undefined ? customAcceptsKey(provider, await catalogue()) : builtIn.auth.kind !== 'none';
  if (acceptsKey === undefined)
    throw refused('This provider does not exist. The page Providers and GET /v1/providers list all.');
  if (!acceptsKey) throw refused(`${provider} accepts no key.`);
}

function customAcceptsKey(provider: string, { providers = [] }: Catalogue): boolean | undefined {
  const custom = providers.find(({ id }) => id === provider);
  return custom && custom.needsKey !== false;
}

const refused = (message: string): GatewayError =>
  new GatewayError('invalid_parameters', `\`provider\`: ${message}`, { param: 'provider' });
