import type { Address, Configured, Missing, ProviderSetting } from '../spec/provider.ts';
import { members, text } from '../read.ts';

/** The JSON of the key file, or the path of the file under the name the vendor's tools use. */
export const keyFileVariables = ['GOOGLE_VERTEX_CREDENTIALS', 'GOOGLE_APPLICATION_CREDENTIALS'] as const;

export const vertexSettings: readonly ProviderSetting[] = [
  {
    name: 'GOOGLE_VERTEX_PROJECT',
    description: "Google Cloud project for Vertex AI. Defaults to the service account's project.",
    example: 'my-project',
  },
  {
    name: 'GOOGLE_VERTEX_LOCATION',
    description: 'Location of Vertex AI. Defaults to global.',
    example: 'europe-west4',
  },
  {
    name: keyFileVariables[0],
    description:
      'JSON key of a service account for Vertex AI. Alternatively set an access token as GOOGLE_VERTEX_API_KEY.',
    secret: true,
  },
  {
    name: keyFileVariables[1],
    description: "Path of a file with a service account's JSON key, for Vertex AI.",
    example: '/run/secrets/google.json',
    file: true,
  },
];

/** Adds project and location to every path. The location is also part of the host name unless it is `global`. */
export function vertexAddress({ baseUrl, setting }: Configured): Address | Missing {
  const project = setting('GOOGLE_VERTEX_PROJECT') ?? projectOfAccount(setting);
  const location = setting('GOOGLE_VERTEX_LOCATION') ?? 'global';
  if (project === undefined) return { missing: 'GOOGLE_VERTEX_PROJECT' };
  if (!/^[a-z0-9-]+$/.test(location)) return { missing: 'GOOGLE_VERTEX_LOCATION with the name of a location' };
  const host = location === 'global' ? 'aiplatform' : `${location}-aiplatform`;
  return {
    baseUrl: withVersion(baseUrl ?? `https://${host}.googleapis.com`),
    path: (own) => `/projects/${encodeURIComponent(project)}/locations/${location}${own}`,
  };
}

/** Adds the API version, as the vendor's own SDK does. */
function withVersion(baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  return /\/v\d+[a-z0-9]*$/.test(base) ? base : `${base}/v1`;
}

function projectOfAccount(setting: Configured['setting']): string | undefined {
  const json = keyFileVariables.map(setting).find((value) => value !== undefined);
  try {
    return text(members(JSON.parse(json ?? '{}')).project_id);
  } catch {
    return undefined;
  }
}
