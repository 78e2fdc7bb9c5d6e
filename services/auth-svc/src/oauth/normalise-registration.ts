import { cleanName } from './clean-name.ts';

/** A registration reduced to what this server supports: clients send the same request to every server. */
interface Registration {
  body: Record<string, unknown>;
  /** The grant types in the body. */
  grants: readonly string[];
  /** The client requested client credentials, which only an account may allow. */
  wantsClientCredentials: boolean;
}

/** The accepted members. Others would be stored without being used or, as `scope` does, restrict the client later. */
const acceptedMembers = [
  'redirect_uris',
  'token_endpoint_auth_method',
  'client_name',
  'client_uri',
  'policy_uri',
  'tos_uri',
  'jwks',
  'jwks_uri',
  'contacts',
];
const userGrants = ['authorization_code', 'refresh_token'];
const authenticationMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'];

export function normaliseRegistration(requested: Readonly<Record<string, unknown>>): Registration {
  const grants = listOf(requested['grant_types']);
  const wantsClientCredentials = grants.includes('client_credentials');
  const body = Object.fromEntries(
    acceptedMembers.flatMap((name) => (requested[name] == null ? [] : [[name, requested[name]]])),
  );
  const method = requested['token_endpoint_auth_method'];
  if (typeof method === 'string' && !authenticationMethods.includes(method)) delete body['token_endpoint_auth_method'];
  const name = cleanName(requested['client_name']);
  if (name === undefined) delete body['client_name'];
  else body['client_name'] = name;
  const granted = grantsFor(grants, requested);
  return { body: { ...body, ...granted }, grants: granted.grant_types, wantsClientCredentials };
}

/** The supported grant types among the requested ones. A client that requests none of them gets those for users. */
function grantsFor(
  requested: readonly string[],
  { redirect_uris: redirects }: Readonly<Record<string, unknown>>,
): { grant_types: readonly string[]; response_types: readonly string[] } {
  const known = requested.filter((grant) => userGrants.includes(grant));
  if (requested.includes('client_credentials') && (known.length === 0 || listOf(redirects).length === 0)) {
    return { grant_types: [], response_types: [] };
  }
  const grants = known.length === 0 ? userGrants : [...new Set(['authorization_code', ...known])];
  return { grant_types: grants, response_types: ['code'] };
}

const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
