import { type ArrivedRequest } from '@tallyport/sandbox';
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { denied, type BedrockFinding } from './errors.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface Signed {
  readonly accessKeyId: string;
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly headers: readonly string[];
  readonly signature: string;
}

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/\s,]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/** Checks a SigV4 signature. Without credentials only its form is checked. */
export function checkSignature(request: ArrivedRequest, credentials: AwsCredentials | undefined): BedrockFinding {
  const signed = read(request.headers.authorization ?? '');
  if (signed === undefined)
    return denied(
      'IncompleteSignatureException',
      'Authorization header is not in the form AWS Signature Version 4 has.',
    );
  const time = String(request.headers['x-amz-date'] ?? '');
  const wrong = findWrong(signed, time, request);
  if (wrong !== undefined) return denied('InvalidSignatureException', wrong);
  if (credentials === undefined) return undefined;
  if (signed.accessKeyId !== credentials.accessKeyId)
    return denied('UnrecognizedClientException', 'The security token included in the request is invalid.');
  const expected = Buffer.from(sign(request, signed, { time, secret: credentials.secretAccessKey }));
  return timingSafeEqual(expected, Buffer.from(signed.signature)) ? undefined : mismatch;
}

const mismatch = denied(
  'InvalidSignatureException',
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
);

function read(authorization: string): Signed | undefined {
  const [, accessKeyId = '', date = '', region = '', service = '', headers = '', signature = ''] =
    form.exec(authorization) ?? [];
  if (signature === '') return undefined;
  return { accessKeyId, date, region, service, headers: headers.split(';'), signature };
}

function findWrong(signed: Signed, time: string, request: ArrivedRequest): string | undefined {
  const { date, service, headers } = signed;
  if (!/^\d{8}T\d{6}Z$/.test(time)) return 'X-Amz-Date must be in ISO 8601 basic format.';
  if (!time.startsWith(date)) return 'Date in Credential scope does not match X-Amz-Date.';
  if (service !== 'bedrock') return `Credential should be scoped to correct service: 'bedrock'.`;
  const unsigned = ['host', 'x-amz-date', ...(request.headers['x-amz-security-token'] ? ['x-amz-security-token'] : [])];
  const missing = unsigned.find((name) => !headers.includes(name));
  if (missing !== undefined) return `'${missing}' must be a 'SignedHeader' in the AWS Authorization.`;
  return headers.toSorted().join() === headers.join() ? undefined : 'SignedHeaders must be sorted.';
}

function sign(request: ArrivedRequest, signed: Signed, { time, secret }: { time: string; secret: string }): string {
  const scope = `${signed.date}/${signed.region}/${signed.service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalOf(request, signed.headers))].join('\n');
  const steps = [signed.date, signed.region, signed.service, 'aws4_request', text];
  return steps.reduce((key, step) => hmac(key, step), Buffer.from(`AWS4${secret}`)).toString('hex');
}

function canonicalOf({ method, path, query, headers, body }: ArrivedRequest, names: readonly string[]): string {
  const lines = names.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replaceAll(/\s+/g, ' ')}\n`,
  );
  return [method, canonicalPath(path), canonicalQuery(query), lines.join(''), names.join(';'), sha256(body)].join('\n');
}

/** Each path segment is encoded once more than in the request. */
const canonicalPath = (path: string) => path.split('/').map(encode).join('/');

const canonicalQuery = (query: string) =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');

/** Encodes everything but letters, digits and `-._~`. */
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const sha256 = (content: string | Buffer) => hash('sha256', content, 'hex');

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
