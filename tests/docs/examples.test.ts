import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { createAdminKey } from './admin-key.ts';
import { answerValidator, type Described, type Document, operationsOf } from './answers.ts';

const document: Document = JSON.parse(
  readFileSync(new URL('../../services/edge/src/reference/openapi.json', import.meta.url), 'utf8'),
);
const operations = operationsOf(document);

/** Operations that need a signed-in user, a browser or a WebSocket. */
const interactive = new Set(['readSession', 'authorize', 'openRealtime', 'openLive']);
/** Operations that can be called with the examples of the document. */
const readable = operations.filter(
  ({ method, operation: { operationId, parameters = [] } }) =>
    method === 'GET' &&
    !interactive.has(operationId) &&
    parameters.every(({ required, example }) => !required || example !== undefined),
);
const exampled = operations.flatMap((described) =>
  Object.entries(described.operation.requestBody?.content ?? {}).flatMap(([type, { examples = {} }]) =>
    Object.entries(examples).map(([name, { value }]) => ({
      title: `${described.operation.operationId}: ${name}`,
      described,
      type,
      value,
    })),
  ),
);

describe('the gateway answers as documented', () => {
  let running: Gateway;
  let adminKey: string;
  const validate = answerValidator(document);
  beforeAll(async () => {
    running = await startGateway({ STATUS_PAGE: 'true' });
    adminKey = await createAdminKey(running);
  });
  afterAll(async () => {
    await running?.stop();
  });

  const ask = ({ method, path, operation }: Described, type?: string, value?: unknown): Promise<Response> => {
    const isOpen = operation.security.length === 0;
    const key = path.startsWith('/api/') ? adminKey : running.apiKey;
    const parameters = operation.parameters ?? [];
    const named = parameters.filter(({ in: place }) => place === 'path');
    const address = named.reduce((text, { name, example = '' }) => text.replace(`{${name}}`, example), path);
    const asked = parameters.filter(({ in: place, required }) => place === 'query' && required === true);
    const query = new URLSearchParams(
      asked.map(({ name, example = 'any' }): [string, string] => [name, example]),
    ).toString();
    return fetch(running.baseUrl + address + (query && `?${query}`), {
      method,
      headers: {
        accept: '*/*',
        ...(!isOpen && { authorization: `Bearer ${key}` }),
        ...(type && { 'content-type': type }),
      },
      ...(value !== undefined && { body: JSON.stringify(value) }),
    });
  };

  test('has examples of all operations that cost money', () => {
    const ids = new Set(exampled.map(({ described }) => described.operation.operationId));
    expect([...ids]).toEqual(
      expect.arrayContaining([
        'createChatCompletion',
        'generateImages',
        'editImages',
        'explainRoute',
        'callMcp',
        'createKey',
      ]),
    );
    expect(readable.length).toBeGreaterThan(15);
  });

  test.for(exampled)('example of $title', async ({ described, type, value }) => {
    const response = await ask(described, type, value);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(await validate(described, response)).toEqual([]);
    expect(response.status).toBeLessThan(300);
  });

  test.for(readable.map((described) => ({ title: described.path, described })))('GET $title', async ({ described }) => {
    const response = await ask(described);
    expect(await validate(described, response)).toEqual([]);
    expect(response.status).toBe(200);
  });

  test('detects an answer that differs from the document', async () => {
    const [models] = readable.filter(({ path }) => path === '/v1/models');
    if (models === undefined) throw new Error('There is no list of models.');
    const unexpected = Response.json({ object: 'list', data: [], surprise: 1 });
    expect(await validate(models, unexpected)).toEqual([expect.stringContaining('surprise')]);
  });

  test('errors match the document', async () => {
    const refused = await fetch(`${running.baseUrl}/v1/chat/completions`, { method: 'POST', body: '{}' });
    const [chat] = operations.filter(({ operation }) => operation.operationId === 'createChatCompletion');
    const described = { ...chat, operation: { ...chat?.operation, responses: { 401: errorAnswer } } } as Described;
    expect(refused.status).toBe(401);
    expect(await validate(described, refused)).toEqual([]);
  });
});

const errorAnswer = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
