import type { ChatProvider } from '@switchyard/providers';

/** Where a provider is reached and with which credentials. Lives in memory only. */
export interface Target {
  origin: string;
  /** Precedes the provider's own path; no slash at the end. */
  pathPrefix: string;
  /** Added to every request. */
  headers: Readonly<Record<string, string>>;
}

export interface Targets {
  find(providerId: string): Target | undefined;
  /** One for each of its keys, in the order they are configured. */
  all(providerId: string): readonly Target[];
  /** Why a provider cannot be called; `undefined` when it can. */
  obstacle(providerId: string): string | undefined;
}

/** What is configured for a provider: `<STEM>_API_KEY` and `<STEM>_BASE_URL`. */
export interface ProviderAccess {
  readonly keys: readonly string[];
  readonly baseUrl: string | undefined;
}

/** Where each provider is reached. A configured base URL replaces the vendor's scheme, host and leading path. */
export function readTargets(providers: readonly ChatProvider[], access: (stem: string) => ProviderAccess): Targets {
  const targets = new Map<string, readonly Target[] | string>();
  for (const provider of providers) targets.set(provider.id, readProvider(provider, access(provider.keyVariable)));
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

function readProvider(provider: ChatProvider, { keys, baseUrl }: ProviderAccess): readonly Target[] | string {
  if (keys.length === 0) {
    const missing = missingVariable(provider, baseUrl);
    if (missing !== undefined) return `set ${missing} to use ${provider.id}`;
  }
  const { origin, pathname } = new URL(baseUrl ?? provider.baseUrl);
  const pathPrefix = pathname.replace(/\/+$/, '');
  const oneEach = keys.length === 0 ? [undefined] : keys;
  return oneEach.map((key) => ({ origin, pathPrefix, headers: authHeaders(provider, key) }));
}

/** What has to be set before a provider without a key can be called; `undefined` when nothing has. */
function missingVariable({ auth, keyVariable }: ChatProvider, baseUrl: string | undefined): string | undefined {
  if (auth.kind === 'none') return undefined;
  if (auth.kind !== 'bearer' || auth.optional !== true) return `${keyVariable}_API_KEY`;
  return baseUrl === undefined ? `${keyVariable}_BASE_URL` : undefined;
}

function authHeaders({ auth }: ChatProvider, key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  switch (auth.kind) {
    case 'bearer':
      return { authorization: `Bearer ${key}` };
    case 'header':
      return { [auth.name]: key };
    case 'none':
      return {};
    default:
      return auth satisfies never;
  }
}
