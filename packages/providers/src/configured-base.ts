import type { Provider } from './spec/provider.ts';

type Addressed = Pick<Provider, 'baseUrl' | 'sdkAddsVersion'>;

const version = /\/v\d+[a-z0-9]*$/;

/**
 * Resolves a base URL that is written as for the vendor's own SDK. A bare host gets the vendor's leading path. Any
 * other path is complete, unless the vendor's SDK adds the version itself and the path has none.
 */
export function configuredBase(provider: Addressed, configured: string | undefined): string {
  if (configured === undefined) return provider.baseUrl;
  const { origin, pathname } = new URL(configured);
  const path = pathname.replace(/\/+$/, '');
  const own = new URL(provider.baseUrl).pathname.replace(/\/+$/, '');
  if (path === '') return origin + own;
  if (provider.sdkAddsVersion !== true || version.test(path)) return origin + path;
  return origin + joined(path, own);
}

/** Joins paths without repeating a common part: `/proxy/openai` and `/openai/v1` make `/proxy/openai/v1`. */
function joined(path: string, own: string): string {
  const segments = own.split('/').slice(1);
  const there = segments.findLastIndex((_, index) => path.endsWith(`/${segments.slice(0, index + 1).join('/')}`));
  return [path, ...segments.slice(there + 1)].join('/');
}
