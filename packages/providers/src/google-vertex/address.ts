import type { Address, Configured, Missing, ProviderSetting } from '../provider.ts';
import { members, text } from '../read.ts';

/** The key file's JSON itself, or the path of the file as the vendor's own tools read it. */
export const keyFileVariables = ['GOOGLE_VERTEX_CREDENTIALS', 'GOOGLE_APPLICATION_CREDENTIALS'] as const;

export const vertexSettings: readonly ProviderSetting[] = [
  {
    name: 'GOOGLE_VERTEX_PROJECT',
    description: "Google Cloud project that Vertex AI is used in. Without it the service account's own.",
    example: 'my-project',
  },
  {
    name: 'GOOGLE_VERTEX_LOCATION',
    description: 'Location of Vertex AI. Without it global.',
    example: 'europe-west4',
  },
  {
    name: keyFileVariables[0],
    description:
      "The JSON of a service account's key, for Vertex AI. GOOGLE_VERTEX_API_KEY is an access token instead.",
    secret: true,
  },
  {
    name: keyFileVariables[1],
    description: "Path of the file with a service account's key, for Vertex AI.",
    example: '/run/secrets/google.json',
    file: true,
  },
];

/** Project and location precede every path, and the location is part of the host unless it is everywhere. */
export function vertexAddress({ baseUrl, setting }: Configured): Address | Missing {
  const project = setting('GOOGLE_VERTEX_PROJECT') ?? projectOfAccount(setting);
  const location = setting('GOOGLE_VERTEX_LOCATION') ?? 'global';
  if (project === undefined) return { missing: 'GOOGLE_VERTEX_PROJECT' };
  if (!/^[a-z0-9-]+$/.test(location)) return { missing: 'GOOGLE_VERTEX_LOCATION with the name of a location' };
  const host = location === 'global' ? 'aiplatform' : `${location}-aiplatform`;
  return {
    baseUrl: baseUrl ?? `https://${host}.googleapis.com/v1`,
    path: (own) => `/projects/${encodeURIComponent(project)}/locations/${location}${own}`,
  };
}

function projectOfAccount(setting: Configured['setting']): string | undefined {
  const json = keyFileVariables.map(setting).find((value) => value !== undefined);
  try {
    return text(members(JSON.parse(json ?? '{}')).project_id);
  } catch {
    return undefined;
  }
}
