import type { Address, Configured, Missing } from '../provider.ts';

/** The last version of the old form that is more than a preview. */
const usualVersion = '2024-10-21';

/**
 * The vendor has two forms. The new one ends with `/v1` (`/models` where other makers' models are) and finds the
 * deployment in the body; the old one names it in the path and needs a version. Of a bare resource the version decides.
 */
export function azureAddress({ baseUrl, setting }: Configured): Address | Missing {
  if (baseUrl === undefined) return { missing: 'AZURE_BASE_URL' };
  const base = baseUrl.replace(/\/+$/, '');
  const version = setting('AZURE_API_VERSION');
  if (/\/(v1|models)$/.test(base)) return { baseUrl: base, path: (own) => own + query(version) };
  const resource = base.replace(/\/openai(\/deployments)?$/, '');
  if (version === undefined && !base.endsWith('/deployments')) return { baseUrl: `${resource}/openai/v1` };
  return {
    baseUrl: `${resource}/openai/deployments`,
    path: (own, { modelName }) => `/${encodeURIComponent(modelName)}${own}${query(version ?? usualVersion)}`,
  };
}

const query = (version: string | undefined): string =>
  version === undefined ? '' : `?api-version=${encodeURIComponent(version)}`;
