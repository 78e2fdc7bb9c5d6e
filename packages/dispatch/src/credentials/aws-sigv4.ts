import type { Auth } from '@tallyport/providers';
import type { SignatureV4 } from '@smithy/signature-v4';
import type { Authorize, Credential, CredentialSources } from './credential.ts';
import { Sha256 } from './sha256.ts';

type AwsAuth = Extract<Auth, { kind: 'aws-sigv4' }>;

/** Sends the API key if one is configured; otherwise signs each request with the account's access key. */
export function awsCredential({ service, keyVariable }: AwsAuth, { key, setting, now }: CredentialSources): Credential {
  const bearer = key ?? setting(keyVariable);
  if (bearer !== undefined) return { headers: { authorization: `Bearer ${bearer}` } };
  const accessKeyId = setting('AWS_ACCESS_KEY_ID');
  const secretAccessKey = setting('AWS_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    return { missing: `${keyVariable}, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,` };
  }
  const sessionToken = setting('AWS_SESSION_TOKEN');
  const identity = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  return { headers: {}, authorize: createAwsAuthorize({ service, region: regionIn(setting), identity, now }) };
}

/** The configured region, or the vendor's first. */
const regionIn = (setting: CredentialSources['setting']): string => setting('AWS_REGION') ?? 'us-east-1';

interface AwsSigning {
  service: string;
  region: string;
  identity: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  now(): number;
}

/** Signs only what proxies do not change: the host, the content type and the vendor's own headers. */
export function createAwsAuthorize(signing: AwsSigning): Authorize {
  let signer: Promise<SignatureV4> | undefined;
  return async ({ origin, path, method, headers, body }) => {
    const { protocol, hostname, host } = new URL(origin);
    const contentType = headers['content-type'];
    const request = {
      method,
      protocol,
      hostname,
      path,
      body: Array.isArray(body) ? Buffer.concat(body) : body,
      headers: { host, ...(contentType !== undefined && { 'content-type': contentType }) },
    };
    const opened = await (signer ??= openSigner(signing));
    const signed = await opened.sign(request, { signingDate: new Date(signing.now()) });
    const { host: _host, 'content-type': _contentType, ...added } = signed.headers;
    return added;
  };
}

/** Loaded with the first request that is signed, because few installations have one. */
async function openSigner({ service, region, identity }: AwsSigning): Promise<SignatureV4> {
  const { SignatureV4: Signer } = await import('@smithy/signature-v4');
  return new Signer({ service, region, credentials: identity, sha256: Sha256, applyChecksum: false });
}
