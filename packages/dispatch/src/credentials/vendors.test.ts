import { eventSlices } from '@tallyport/wire';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type DispatchBench, startDispatchBench } from '../testing/dispatch-bench.ts';

const key = 'the-right-key';
const identity = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

interface Way {
  provider: string;
  modelName: string;
  path: string;
  keys?: string[];
  settings?(simulatorUrl: string): Record<string, string>;
}

let bench: DispatchBench | undefined;

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

async function start({ provider, modelName, path, keys = [], settings }: Way): Promise<DispatchBench> {
  bench = await startDispatchBench({
    providers: [provider],
    modelName,
    simulator: { apiKeys: [key], awsCredentials: identity },
    access: (_stem, url) => ({ keys, baseUrl: url + path, setting: (name) => settings?.(url)[name] }),
  });
  return bench;
}

async function answerOf(way: Way): Promise<string> {
  const { dispatch, job } = await start(way);
  const { completion } = await dispatch.complete(job());
  return completion.choices[0]?.message.content ?? '';
}

async function streamOf(way: Way): Promise<string> {
  const { dispatch, job } = await start(way);
  const stream = await dispatch.stream(job({ stream: true }));
  stream.render((chunk) => chunk);
  let events = '';
  for (let read = await stream.read(); read !== undefined; read = await stream.read()) {
    events += Buffer.concat(read.flatMap(eventSlices)).toString();
  }
  return events
    .split('\n\n')
    .map((event) => (event === '' ? '' : (JSON.parse(event.slice('data: '.length)).choices[0]?.delta.content ?? '')))
    .join('');
}

const bedrock = { provider: 'aws-bedrock', modelName: 'us.anthropic.claude-haiku-4-5-20251001-v1:0', path: '/bedrock' };
const account = { AWS_ACCESS_KEY_ID: identity.accessKeyId, AWS_SECRET_ACCESS_KEY: identity.secretAccessKey };
const vertex = { provider: 'google-vertex', modelName: 'gemini-2.5-flash', path: '/vertex/v1' };
const keyFile = (tokenUri: string) =>
  JSON.stringify({
    project_id: 'my-project',
    client_email: 'me@my-project.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: tokenUri,
  });

describe.each<[string, Way]>([
  ['a key of AWS', { ...bedrock, keys: [key] }],
  ['the key by its own name', { ...bedrock, settings: () => ({ AWS_BEARER_TOKEN_BEDROCK: key }) }],
  ['an account of AWS', { ...bedrock, settings: () => ({ ...account, AWS_REGION: 'eu-central-1' }) }],
  ['azure, the new form', { provider: 'azure', modelName: 'gpt-4o', path: '/azure/openai/v1', keys: [key] }],
  [
    'azure, the old form',
    {
      provider: 'azure',
      modelName: 'gpt-4o',
      path: '/azure',
      keys: [key],
      settings: () => ({ AZURE_API_VERSION: '2024-10-21' }),
    },
  ],
  ['a token of Google', { ...vertex, keys: [key], settings: () => ({ GOOGLE_VERTEX_PROJECT: 'p' }) }],
  [
    'a service account',
    { ...vertex, settings: (url) => ({ GOOGLE_VERTEX_CREDENTIALS: keyFile(`${url}/vertex/token`) }) },
  ],
])('with %s', (_name, way) => {
  test('the vendor answers', async () => {
    expect(await answerOf(way)).toContain(`simulated answer from ${way.provider}`);
  });

  test('the vendor streams', async () => {
    const text = await streamOf(way);
    await bench?.close();
    expect(text).toBe(await answerOf(way));
  });
});

test('a wrong secret is the provider’s fault, not the client’s', async () => {
  const { dispatch, job } = await start({ ...bedrock, settings: () => ({ ...account, AWS_SECRET_ACCESS_KEY: 'no' }) });
  await expect(dispatch.complete(job({ fallback: 'never' }))).rejects.toMatchObject({
    status: 502,
    cause: expect.objectContaining({ code: 'upstream_auth' }),
  });
});

test('many requests of a service account share one token', async () => {
  const settings = (url: string) => ({ GOOGLE_VERTEX_CREDENTIALS: keyFile(`${url}/vertex/token`) });
  const { dispatch, job, simulator } = await start({ ...vertex, settings });
  await Promise.all(Array.from({ length: 5 }, () => dispatch.complete(job())));
  expect(simulator.requests.filter(({ path }) => path === '/vertex/token')).toHaveLength(1);
});

test('a client that leaves while the token is fetched fails at once', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const settings = () => ({ GOOGLE_VERTEX_CREDENTIALS: keyFile(`http://127.0.0.1:${port}/token`) });
  const { dispatch, job, simulator } = await start({ ...vertex, settings });
  const leaving = new AbortController();
  const answer = dispatch.complete(job({ signal: leaving.signal }));
  await once(silent, 'connection');
  leaving.abort();
  await expect(answer).rejects.toMatchObject({ code: 'client_closed_request' });
  expect(simulator.requests).toEqual([]);
  await bench?.close();
  bench = undefined;
  silent.close();
});
