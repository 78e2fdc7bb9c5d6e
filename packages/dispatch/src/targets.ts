import type { Address, ChatProvider, Provider } from '@switchyard/providers';
import type { Authorize } from './credentials/credential.ts';
import { credentialOf } from './credentials/credential-of.ts';

/** Where a provider is reached and with which credentials. Lives in memory only. */
export interface Target {
  origin: string;
  /** Precedes the provider's own path; no slash at the end. */
  pathPrefix: string;
  /** Added to every request. */
  headers: Readonly<Record<string, string>>;
  /** What follows the prefix, where it is not the provider's own path. */
  path?: Address['path'];
  /** Further headers, made for each request. */
  authorize?: Authorize;
}

export interface Targets<Adapter extends Provider = ChatProvider> {
  find(providerId: string): Target | undefined;
  /** One for each of its keys, in the order they are configured. */
  all(providerId: string): readonly Target[];
  /** Why a provider cannot be called; `undefined` when it can. */
  obstacle(providerId: string): string | undefined;
  /** The adapter of a provider that is not built in. */
  custom?(providerId: string): Adapter | undefined;
}

/** What is configured for a provider: `<STEM>_API_KEY`, `<STEM>_BASE_URL`, and the settings it declares. */
export interface ProviderAccess {
  readonly keys: readonly string[];
  readonly baseUrl: string | undefined;
  setting?(name: string): string | undefined;
}

/** Where each provider is reached. A configured base URL replaces the vendor's scheme, host and leading path. */
export function readTargets<Adapter extends Provider>(
  providers: readonly Adapter[],
  access: (stem: string) => ProviderAccess,
  now: () => number = Date.now,
): Targets<Adapter> {
  const targets = new Map<string, readonly Target[] | string>();
  for (const provider of providers) {
    const found = readProvider(provider, { setting: () => undefined, ...access(provider.keyVariable), now });
    targets.set(provider.id, typeof found === 'string' ? `set ${found} to use ${provider.id}` : found);
  }
  const all = (providerId: string): readonly Target[] => {
    const found = targets.get(providerId) ?? [];
    return typeof found === 'string' ? [] : found;
  };
  return {
    all,
    find: (providerId) => all(providerId)[0],
    obstacle(providerId) {
      const found = targets.get(providerId) ?? `there is no adapter for ${providerId}`;
      return typeof found === 'string' ? found : undefined;
    },
  };
}

type Sources = Required<ProviderAccess> & { now(): number };

/** One target for each key, or what has to be set first. */
function readProvider(provider: Provider, { keys, ...sources }: Sources): readonly Target[] | string {
  const address = provider.address?.(sources) ?? { baseUrl: sources.baseUrl ?? provider.baseUrl };
  const targets: Target[] = [];
  for (const key of keys.length === 0 ? [undefined] : keys) {
    const credential = credentialOf(provider, { ...sources, key });
    if ('missing' in credential) return credential.missing;
    if ('missing' in address) return address.missing;
    const { origin, pathname } = new URL(address.baseUrl);
    const path = address.path && { path: address.path };
    targets.push({ origin, pathPrefix: pathname.replace(/\/+$/, ''), ...path, ...credential });
  }
  return targets;
}
