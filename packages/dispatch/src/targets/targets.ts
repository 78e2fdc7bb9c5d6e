import type { ProviderKey } from '@switchyard/contracts';
import type { Address, ChatProvider, Provider } from '@switchyard/providers';
import type { Authorize } from '../credentials/credential.ts';
import { credentialOf } from '../credentials/credential-of.ts';

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
  /** It goes out with a key of the account that asks, which pays for it. */
  ownKey?: true;
}

export interface Targets<Adapter extends Provider = ChatProvider> {
  find(providerId: string): Target | undefined;
  /** One for each of its keys, in the order they are configured. */
  all(providerId: string): readonly Target[];
  /** Why a provider cannot be called; `undefined` when it can. */
  obstacle(providerId: string): string | undefined;
  /**
   * The provider of an account's own key, reached with it: the same value for the same key object. A text says what
   * else has to be set first.
   */
  withOwnKey(key: ProviderKey): Target | string;
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
  const reachable = new Map<string, (key: ProviderKey) => Target | string>();
  for (const provider of providers) {
    const sources = { setting: () => undefined, ...access(provider.keyVariable), now };
    targets.set(provider.id, readProvider(provider, sources));
    reachable.set(provider.id, (key) => readOwn(provider, { ...sources, keys: [key.key] }));
  }
  const own = new WeakMap<ProviderKey, Target | string>();
  const all = (providerId: string): readonly Target[] => {
    const found = targets.get(providerId) ?? [];
    return typeof found === 'string' ? [] : found;
  };
  return {
    all,
    find: (providerId) => all(providerId)[0],
    withOwnKey(key) {
      const found = own.get(key) ?? reachable.get(key.provider)?.(key) ?? noAdapter(key.provider);
      own.set(key, found);
      return found;
    },
    obstacle(providerId) {
      const found = targets.get(providerId) ?? noAdapter(providerId);
      return typeof found === 'string' ? found : undefined;
    },
  };
}

type Sources = Required<ProviderAccess> & { now(): number };

const noAdapter = (providerId: string): string => `there is no adapter for ${providerId}`;

/** One target for each key, or what has to be set first. */
function readProvider(provider: Provider, { keys, ...sources }: Sources): readonly Target[] | string {
  const address = provider.address?.(sources) ?? { baseUrl: sources.baseUrl ?? provider.baseUrl };
  const toSet = (missing: string): string => `set ${missing} to use ${provider.id}`;
  const targets: Target[] = [];
  for (const key of keys.length === 0 ? [undefined] : keys) {
    const credential = credentialOf(provider, { ...sources, key });
    if ('missing' in credential) return toSet(credential.missing);
    if ('missing' in address) return toSet(address.missing);
    const { origin, pathname } = new URL(address.baseUrl);
    const path = address.path && { path: address.path };
    targets.push({ origin, pathPrefix: pathname.replace(/\/+$/, ''), ...path, ...credential });
  }
  return targets;
}

/** A self-hosted server is reached only where the operator has configured its address, with a key or without. */
function readOwn(provider: Provider, sources: Sources): Target | string {
  const { id, auth, keyVariable } = provider;
  if (auth.kind === 'none') return `${id} takes no key`;
  const needsAddress = auth.kind === 'bearer' && auth.optional === true && sources.baseUrl === undefined;
  if (needsAddress) return `set ${keyVariable}_BASE_URL to use ${id}`;
  const found = readProvider(provider, sources);
  if (typeof found === 'string') return found;
  const [target] = found;
  return target === undefined ? noAdapter(id) : { ...target, ownKey: true };
}
