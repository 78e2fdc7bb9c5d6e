import { type Client, type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { ClientDocuments } from './client-documents.ts';
import { partOf, resourceOf } from './resources.ts';
import { defaultScope } from './scopes.ts';

interface FeatureOptions {
  publicUrl: string;
  /** Absent if clients must register. */
  documents: Pick<ClientDocuments, 'mayFetch'> | undefined;
}

const tokenSeconds = 3600;

/** The features of the library in use. All are set explicitly, because their defaults vary. */
export const features = ({ publicUrl, documents }: FeatureOptions): Configuration['features'] => ({
  clientCredentials: { enabled: true },
  clientIdMetadataDocument: {
    enabled: documents !== undefined,
    ack: 'draft-02',
    ...(documents && { allowFetch: documents.mayFetch }),
  },
  devInteractions: { enabled: false },
  // Not needed so far: edge would have to check the proof of each token.
  dPoP: { enabled: false },
  introspection: { enabled: true, allowedPolicy: isOwnToken },
  // Not needed so far, and it lets anonymous clients store requests.
  pushedAuthorizationRequests: { enabled: false },
  registration: { enabled: true, issueRegistrationAccessToken: false },
  resourceIndicators: {
    enabled: true,
    defaultResource: (_ctx, _client, oneOf) => oneOf ?? resourceOf(publicUrl, 'mcp'),
    getResourceServerInfo: (_ctx, resource) => resourceServer(publicUrl, resource),
    useGrantedResource: () => true,
  },
  revocation: { enabled: true, allowedPolicy: isOwnToken },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
});

function resourceServer(publicUrl: string, resource: string) {
  if (partOf(publicUrl, resource) === undefined) {
    throw new errors.InvalidTarget(`unknown resource; use ${resourceOf(publicUrl, 'mcp')}`);
  }
  return {
    scope: defaultScope,
    audience: resource,
    accessTokenTTL: tokenSeconds,
    accessTokenFormat: 'opaque' as const,
  };
}

const isOwnToken = (_ctx: KoaContextWithOIDC, client: Client, token: { clientId?: string | undefined }): boolean =>
  token.clientId === client.clientId;
