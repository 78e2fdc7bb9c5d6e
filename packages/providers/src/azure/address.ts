import type { Offer } from '@tallyport/contracts';
import type { Address, Configured, Missing } from '../spec/provider.ts';

/** The last stable version of the old API form. */
const usualVersion = '2024-10-21';

/**
 * The vendor has two address forms. The new one ends in `/v1` (`/models` for models of other makers) and has the
 * deployment in the body; the old one has the deployment in the path and needs a version. For a bare resource address
 * the configured version decides. The Responses API and realtime
 * sessions have the new form only.
 */
export function azureAddress(configured: Configured): Address | Missing {
  const { baseUrl } = configured;
  if (baseUrl === undefined) return { missing: 'AZURE_BASE_URL' };
  const address = addressOfOpenAi({ ...configured, baseUrl });
  const resource = address.baseUrl.replace(/\/(openai(\/v1)?|models)$/, '');
  const prefix = address.baseUrl.slice(resource.length);
  const inOpenAi = (own: string, offer: Offer): string => prefix + (address.path?.(own, offer) ?? own);
  return { baseUrl: resource, path: (own, offer) => (own === azureRerankPath ? own : inOpenAi(own, offer)) };
}

/** Models of Cohere have Cohere's API, beside the address of all others. */
export const azureRerankPath = '/providers/cohere/v2/rerank';

function addressOfOpenAi({ baseUrl, setting }: Configured & { baseUrl: string }): Address {
  const base = baseUrl.replace(/\/+$/, '');
  const version = setting('AZURE_API_VERSION');
  if (/\/(v1|models)$/.test(base))
    return { baseUrl: base, path: (own) => (isRealtime(own) ? own : own + query(version)) };
  const resource = base.replace(/\/openai(\/deployments)?$/, '');
  if (version === undefined && !base.endsWith('/deployments')) return { baseUrl: `${resource}/openai/v1` };
  return {
    baseUrl: `${resource}/openai`,
    path: (own, { modelName }) =>
      own === '/responses' || isRealtime(own)
        ? `/v1${own}`
        : `/deployments/${encodeURIComponent(modelName)}${own}${query(version ?? usualVersion)}`,
  };
}

/** It has a query of its own. */
const isRealtime = (path: string): boolean => path.startsWith('/realtime?');

const query = (version: string | undefined): string =>
  version === undefined ? '' : `?api-version=${encodeURIComponent(version)}`;
