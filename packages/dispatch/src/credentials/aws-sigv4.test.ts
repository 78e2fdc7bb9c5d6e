import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { WireRequest } from '@tallyport/outbound';
import { awsCredential, createAwsAuthorize } from './aws-sigv4.ts';
import type { Authorize, Credential } from './credential.ts';

const now = () => Date.UTC(2015, 7, 30, 12, 36, 0);
/** The credentials of AWS's published examples. */
const identity = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const noNetwork = { send: () => Promise.reject(new Error('Signing makes no requests.')) };
const sign = (authorize: Authorize, request: WireRequest) => authorize(request, noNetwork);

describe("AWS's published examples", () => {
  const authorize = createAwsAuthorize({ service: 'service', region: 'us-east-1', identity, now });
  const credential = 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request';

  test.each([
    ['GET', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['POST', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ] as const)('%s /', async (method, signature) => {
    const request = { origin: 'https://example.amazonaws.com', path: '/', method, headers: {}, body: '' };
    expect(await sign(authorize, request)).toEqual({
      'x-amz-date': '20150830T123600Z',
      authorization: `${credential}, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    });
  });
});

describe('a chat', () => {
  const request: WireRequest & { body: string } = {
    origin: 'http://127.0.0.1:8080',
    path: '/bedrock/model/us.vendor.model-v1%3A0/converse',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'anything', accept: 'anything' },
    body: '{"messages":[{"text":"Grüße"}]}',
  };

  test('is signed over its path encoded twice, its host and its content type', async () => {
    const authorize = createAwsAuthorize({ service: 'bedrock', region: 'eu-central-1', identity, now });
    expect(await sign(authorize, request)).toEqual({
      'x-amz-date': '20150830T123600Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-central-1/bedrock/aws4_request, ' +
        `SignedHeaders=content-type;host;x-amz-date, Signature=${expectedSignature(request.body)}`,
    });
  });

  test('has the same signature as text, bytes or slices', async () => {
    const authorize = createAwsAuthorize({ service: 'bedrock', region: 'eu-central-1', identity, now });
    const bytes = { ...request, body: Buffer.from(request.body) };
    const slices = { ...request, body: [bytes.body.subarray(0, 9), bytes.body.subarray(9)] };
    const signed = await sign(authorize, request);
    expect([await sign(authorize, bytes), await sign(authorize, slices)]).toEqual([signed, signed]);
  });

  test('with temporary credentials sends the session token and signs it', async () => {
    const temporary = { ...identity, sessionToken: 'token' };
    const authorize = createAwsAuthorize({ service: 'bedrock', region: 'eu-central-1', identity: temporary, now });
    expect(await sign(authorize, request)).toMatchObject({
      'x-amz-security-token': 'token',
      authorization: expect.stringContaining('SignedHeaders=content-type;host;x-amz-date;x-amz-security-token,'),
    });
  });
});

/** The signing algorithm, step by step, for the request above. */
function expectedSignature(body: string | Uint8Array): string {
  const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
  const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();
  const canonical = [
    'POST',
    '/bedrock/model/us.vendor.model-v1%253A0/converse',
    '',
    'content-type:application/json',
    'host:127.0.0.1:8080',
    'x-amz-date:20150830T123600Z',
    '',
    'content-type;host;x-amz-date',
    sha256(body),
  ].join('\n');
  const scope = '20150830/eu-central-1/bedrock/aws4_request';
  const toSign = ['AWS4-HMAC-SHA256', '20150830T123600Z', scope, sha256(canonical)].join('\n');
  const key = ['20150830', 'eu-central-1', 'bedrock', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${identity.secretAccessKey}`,
  );
  return hmac(key, toSign).toString('hex');
}

describe('configuration', () => {
  const auth = { kind: 'aws-sigv4', service: 'bedrock', keyVariable: 'VENDOR_TOKEN' } as const;
  const credential = (settings: Record<string, string>, key?: string): Credential =>
    awsCredential(auth, { key, setting: (name) => settings[name], baseUrl: undefined, now });
  const account = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };

  test('an API key is sent as a bearer token, under either name', () => {
    expect(credential({}, 'key')).toEqual({ headers: { authorization: 'Bearer key' } });
    expect(credential({ VENDOR_TOKEN: 'token', ...account })).toEqual({ headers: { authorization: 'Bearer token' } });
  });

  test('an access key without its secret is reported as missing', () => {
    const missing = { missing: 'VENDOR_TOKEN, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,' };
    expect(credential({})).toEqual(missing);
    expect(credential({ AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE' })).toEqual(missing);
  });

  test.each([
    [{}, 'us-east-1'],
    [{ AWS_REGION: 'eu-central-1' }, 'eu-central-1'],
  ])('with %j requests are signed for %s', async (settings, region) => {
    const made = credential({ ...account, ...settings });
    const authorize = 'authorize' in made ? made.authorize : undefined;
    const request = { origin: 'https://a.test', path: '/', method: 'POST', headers: {}, body: '' } as const;
    expect(await authorize?.(request, noNetwork)).toMatchObject({
      authorization: expect.stringContaining(`/20150830/${region}/bedrock/aws4_request`),
    });
  });
});
