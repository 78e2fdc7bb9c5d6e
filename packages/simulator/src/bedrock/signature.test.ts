import { type ArrivedRequest } from '@tallyport/sandbox';
import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { expect, test } from 'vitest';
import { checkSignature } from './signature.ts';

type Data = string | ArrayBuffer | ArrayBufferView;

function bytesOf(data: Data): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
}

/** The hash function for the signer. */
class Sha256 {
  readonly #state: { update(data: Buffer): unknown; digest(): Buffer };
  constructor(secret?: Data) {
    this.#state = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }
  update(data: Data): void {
    this.#state.update(bytesOf(data));
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#state.digest());
  }
  reset(): void {}
}

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

/** A request signed by AWS's own signer, as it arrives at the server. */
async function signed(changes: { body?: string; sessionToken?: string } = {}): Promise<ArrivedRequest> {
  const { body = '{"messages":[]}', sessionToken } = changes;
  const path = `/model/${encodeURIComponent('eu.anthropic.claude-sonnet-4-5-20250929-v1:0')}/converse`;
  const signer = new SignatureV4({
    service: 'bedrock',
    region: 'eu-central-1',
    credentials: { ...credentials, ...(sessionToken !== undefined && { sessionToken }) },
    sha256: Sha256,
  });
  const { headers } = await signer.sign({
    method: 'POST',
    protocol: 'https:',
    hostname: 'bedrock-runtime.eu-central-1.amazonaws.com',
    path,
    body,
    query: {
      b: 'x y',
      a: '1',
    },
    headers: {
      host: 'bedrock-runtime.eu-central-1.amazonaws.com',
      'content-type': 'application/json',
    },
  });
  return {
    provider: 'aws-bedrock',
    method: 'POST',
    path,
    query: 'b=x%20y&a=1',
    body: Buffer.from(body),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
}

test.each([{}, { sessionToken: 'token/+=' }, { body: '{"text":"Grüße 🌍"}' }])(
  'accepts a request signed by AWS’s own signer: %j',
  async (changes) => {
    expect(checkSignature(await signed(changes), credentials)).toBeUndefined();
  },
);

test.each<[string, Partial<ArrivedRequest>]>([
  ['body', { body: Buffer.from('{}') }],
  ['path', { path: '/model/other/converse' }],
  ['query', { query: 'a=2' }],
  ['method', { method: 'PUT' }],
])('refuses a request whose %s differs from the signed one', async (_, changes) => {
  const request = { ...(await signed()), ...changes };
  expect(checkSignature(request, credentials)).toMatchObject({ status: 403, type: 'InvalidSignatureException' });
  expect(checkSignature(request, undefined)).toBeUndefined();
});
