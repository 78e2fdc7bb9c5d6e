import { cleanName } from './clean-name.ts';

/** What a registration asks for, made into what there is: clients send the same request to every server. */
export interface Registration {
  body: Record<string, unknown>;
  /** It wants to act without a person: only an account may let it. */
  wantsClientCredentials: boolean;
}

/** Everything else is left out: it would be kept without being used, or, as `scope` does, bind the client later. */
const taken = [
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
const grantsOfPeople = ['authorization_code', 'refresh_token'];
const authenticationMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'];

export function normaliseRegistration(asked: Readonly<Record<string, unknown>>): Registration {
  const grants = listOf(asked['grant_types']);
  const wantsClientCredentials = grants.includes('client_credentials');
  const body = Object.fromEntries(taken.flatMap((name) => (asked[name] == null ? [] : [[name, asked[name]]])));
  const method = asked['token_endpoint_auth_method'];
  if (typeof method === 'string' && !authenticationMethods.includes(method)) delete body['token_endpoint_auth_method'];
  const name = cleanName(asked['client_name']);
  if (name === undefined) delete body['client_name'];
  else body['client_name'] = name;
  return { body: { ...body, ...grantsFor(grants, asked) }, wantsClientCredentials };
}

/** Those it asked for that there are. One that asks for none of them gets what people sign in with. */
function grantsFor(asked: readonly string[], { redirect_uris: redirects }: Readonly<Record<string, unknown>>) {
  const known = asked.filter((grant) => grantsOfPeople.includes(grant));
  if (asked.includes('client_credentials') && (known.length === 0 || listOf(redirects).length === 0)) {
    return { grant_types: [], response_types: [] };
  }
  const grants = known.length === 0 ? grantsOfPeople : [...new Set(['authorization_code', ...known])];
  return { grant_types: grants, response_types: ['code'] };
}

const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
