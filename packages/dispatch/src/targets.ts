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
  /** Why a provider cannot be called; `undefined` when it can. */
  obstacle(providerId: string): string | undefined;
}

/**
 * Keys and base URLs from `<STEM>_API_KEY` and `<STEM>_BASE_URL`. A base URL replaces the vendor's scheme, host and
 * leading path. Throws a plain Error naming the variable when a base URL is not one.
 */
export function readTargets(
  providers: readonly ChatProvider[],
  variables: Readonly<Record<string, string | undefined>>,
): Targets {
  const targets = new Map<string, Target | string>();
  for (const provider of providers) targets.set(provider.id, readTarget(provider, variables));
  return {
    find(providerId) {
      const target = targets.get(providerId);
      return typeof target === 'string' ? undefined : target;
    },
    obstacle(providerId) {
      const target = targets.get(providerId) ?? `there is no adapter for ${providerId}`;
      return typeof target === 'string' ? target : undefined;
    },
  };
}

function readTarget(provider: ChatProvider, variables: Readonly<Record<string, string | undefined>>): Target | string {
  const keyName = `${provider.keyVariable}_API_KEY`;
  const [key] = keysIn(variables[keyName]);
  if (key === undefined && provider.auth.kind !== 'none') return `set ${keyName} to use ${provider.id}`;
  const baseName = `${provider.keyVariable}_BASE_URL`;
  const configured = variables[baseName]?.trim();
  const base = configured === undefined || configured === '' ? provider.baseUrl : configured;
  if (!URL.canParse(base)) throw new Error(`${baseName} is not a URL: give it as https://host/path.`);
  const { origin, pathname } = new URL(base);
  return { origin, pathPrefix: pathname.replace(/\/+$/, ''), headers: authHeaders(provider, key) };
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

/** Several keys are separated by commas; the first is used. */
const keysIn = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
