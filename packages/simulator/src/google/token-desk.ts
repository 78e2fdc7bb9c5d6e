import {
  bearerOf,
  isAcceptedKey,
  jsonReply,
  contentHash,
  isObject,
  jsonOf,
  type JsonObject,
  type FamilySettings,
  type ArrivedRequest,
  type VendorRoute,
} from '@tallyport/sandbox';
import { eventDialect } from './dialect.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const scope = 'https://www.googleapis.com/auth/cloud-platform';
const longestSeconds = 3_600;
const tokenPrefix = 'ya29.simulated-';

/**
 * The token endpoint, which exchanges a service account's signed assertion for a token. The form is checked, the
 * signature is not.
 */
export function createTokenDesk({ apiKeys, now }: FamilySettings) {
  const route: VendorRoute = {
    method: 'POST',
    path: /^\/vertex\/token$/,
    provider: 'google-vertex',
    faulty: false,
    dialect: eventDialect,
    answer: (request) => ({ answer: answerToken(request, now()) }),
  };
  const knows = ({ headers }: ArrivedRequest): boolean => {
    const token = bearerOf(headers);
    return isAcceptedKey(token, apiKeys) || token?.startsWith(tokenPrefix) === true;
  };
  return { route, knows };
}

function answerToken(request: ArrivedRequest, now: number) {
  const form = new URLSearchParams(request.body.toString());
  const refuse = (error: string, description: string) => jsonReply(400, { error, error_description: description });
  if (!String(request.headers['content-type']).startsWith('application/x-www-form-urlencoded'))
    return refuse('invalid_request', 'The request must be a form.');
  if (form.get('grant_type') !== grantType) return refuse('unsupported_grant_type', 'Invalid grant_type.');
  const wrong = findAssertionError(form.get('assertion') ?? '', now);
  if (wrong !== undefined) return refuse('invalid_grant', wrong);
  const token = tokenPrefix + contentHash(form.get('assertion') ?? '');
  return jsonReply(200, { access_token: token, expires_in: longestSeconds - 1, token_type: 'Bearer' });
}

/** The first error in an assertion. */
function findAssertionError(assertion: string, now: number): string | undefined {
  const [header, claims, signature] = assertion.split('.');
  const head = decoded(header);
  const body = decoded(claims);
  if (head === undefined || body === undefined || !/^[\w-]{20,}$/.test(signature ?? ''))
    return 'Invalid JWT: not three base64url parts.';
  if (head.alg !== 'RS256') return 'Invalid JWT header: alg must be RS256.';
  return findWrongClaim(body) ?? findWrongTime(body, now);
}

function findWrongClaim(body: JsonObject): string | undefined {
  if (typeof body.iss !== 'string' || !body.iss.includes('@')) return 'Invalid JWT: iss must be a service account.';
  if (!String(body.scope).split(' ').includes(scope)) return 'Invalid OAuth scope or ID token audience provided.';
  if (typeof body.aud !== 'string' || !/^https?:\/\//.test(body.aud)) return 'Invalid JWT: aud must be the token URL.';
  return undefined;
}

const clockSkewSeconds = 300;

function findWrongTime({ iat, exp }: JsonObject, now: number): string | undefined {
  const wrong =
    'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.';
  if (typeof iat !== 'number' || typeof exp !== 'number') return wrong;
  const inTime = iat <= now + clockSkewSeconds && exp > now && exp - iat <= longestSeconds;
  return inTime ? undefined : wrong;
}

function decoded(part = ''): JsonObject | undefined {
  const value = jsonOf(Buffer.from(part, 'base64url').toString());
  return isObject(value) ? value : undefined;
}
