import { isOfOperator, type Principal, type ProviderKey } from '@tallyport/contracts';
import { type Address, type ChatProvider, configuredBase, type Provider } from '@tallyport/providers';
import type { Authorize } from '../credentials/credential.ts';
import { credentialOf } from '../credentials/credential-of.ts';

/** The address and the credentials of a provider. Kept in memory only. */
export interface Target {
  origin: string;
  /** Precedes the provider's path; without a trailing slash. */
  pathPrefix: string;
  /** Added to every request. */
  headers: Readonly<Record<string, string>>;
  /** Maps the provider's path to the one that follows the prefix, if they differ. */
  path?: Address['path'];
  /** Returns further headers, made for each request. */
  authorize?: Authorize;
  /** The key belongs to the calling account, which pays for the request. */
  ownKey?: true;
  /** The id of that key. */
  ownKeyId?: string;
}

export interface Targets<Adapter extends Provider = ChatProvider> {
  find(providerId: string): Target | undefined;
  /** One target per key, in the order of the configuration. */
  all(providerId: string): readonly Target[];
  /**
   * Why a provider cannot be called, such as a missing key; `undefined` if it can. Settings are named only to callers of the
   * operator's account.
   */
  obstacle(providerId: string, principal?: Principal): string | undefined;
  /**
   * The target for an account's own key; returns the same value for the same key object. Returns a string if something
   * else must be configured first.
   */
  withOwnKey(key: ProviderKey): Target | string;
  /** The adapter of a custom provider. */
  custom?(providerId: string): Adapter | undefined;
}

/** The configuration of a provider: `<STEM>_API_KEY`, `<STEM>_BASE_URL`, and the settings it declares. */
export interface ProviderAccess {
  readonly keys: readonly string[];
  readonly baseUrl: string | undefined;
  setting?(name: string): string | undefined;
}

/** Reads the targets of all providers. A configured base URL replaces the vendor's scheme, host and leading path. */
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
    reachable.set(provider.id, (key) => readOwn(provider, { ...sources, keys: [key.key] }, key.id));
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
    obstacle(providerId, principal) {
      const found = targets.get(providerId) ?? noAdapter(providerId);
      return typeof found === 'string' ? obstacleFor(principal, { providerId, obstacle: found }) : undefined;
    },
  };
}

interface Obstacle {
  providerId: string;
  obstacle: string;
}

/** Only the operator can change settings. */
export const obstacleFor = (principal: Principal | undefined, { providerId, obstacle }: Obstacle): string =>
  isOfOperator(principal) ? obstacle : `ask your operator for access to ${providerId}`;

type Sources = Required<ProviderAccess> & { now(): number };

const noAdapter = (providerId: string): string => `there is no adapter for ${providerId}`;

/** One target per key, or what must be set first. */
function readProvider(provider: Provider, { keys, ...sources }: Sources): readonly Target[] | string {
  const address = provider.address?.(sources) ?? { baseUrl: configuredBase(provider, sources.baseUrl) };
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

/** A self-hosted server can be called only if the operator configured its address, with or without a key. */
function readOwn(provider: Provider, sources: Sources, ownKeyId: string): Target | string {
  const { id, auth, keyVariable } = provider;
  if (auth.kind === 'none') return `${id} takes no key`;
  const needsAddress = auth.kind === 'bearer' && auth.optional === true && sources.baseUrl === undefined;
  if (needsAddress) return `set ${keyVariable}_BASE_URL to use ${id}`;
  const found = readProvider(provider, sources);
  if (typeof found === 'string') return found;
  const [target] = found;
  return target === undefined ? noAdapter(id) : { ...target, ownKey: true, ownKeyId };
}
