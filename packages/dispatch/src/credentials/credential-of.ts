import type { Provider } from '@tallyport/providers';
import { awsCredential } from './aws-sigv4.ts';
import type { Credential, CredentialSources } from './credential.ts';
import { googleCredential } from './google-service-account.ts';

/** Chooses the credentials of a provider from its configuration, or returns what is missing. */
export function credentialOf({ auth, keyVariable }: Provider, sources: CredentialSources): Credential {
  switch (auth.kind) {
    case 'aws-sigv4':
      return awsCredential(auth, sources);
    case 'google-service-account':
      return googleCredential(auth, sources);
    case 'none':
      return { headers: {} };
    case 'bearer':
      if (sources.key !== undefined) return { headers: { authorization: `Bearer ${sources.key}` } };
      if (auth.optional !== true) return { missing: `${keyVariable}_API_KEY` };
      return sources.baseUrl === undefined ? { missing: `${keyVariable}_BASE_URL` } : { headers: {} };
    case 'header':
      if (sources.key === undefined) return { missing: `${keyVariable}_API_KEY` };
      return { headers: { [auth.name]: sources.key } };
    default:
      return auth satisfies never;
  }
}
