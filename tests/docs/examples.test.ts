import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OneProcess, startOneProcess } from '../gateway/one-process.ts';
import { createAdminKey } from './admin-key.ts';
import { answerJudge, type Described, type Document, operationsOf } from './answers.ts';

const document: Document = JSON.parse(
  readFileSync(new URL('../../services/edge/src/reference/openapi.json', import.meta.url), 'utf8'),
);
const operations = operationsOf(document);

/** Needs a signed-in person or a browser. */
const forPeople = new Set(['readSession', 'authorize']);
/** Those that can be asked with what the document says of them. */
const readable = operations.filter(
  ({ method, operation: { operationId, parameters = [] } }) =>
    method === 'GET' &&
    !forPeople.has(operationId) &&
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

describe('the gateway answers as its document says', () => {
  let running: OneProcess;
  let adminKey: string;
  const judge = answerJudge(document);
  beforeAll(async () => {
    running = await startOneProcess();
    adminKey = await createAdminKey(running);
  });
  afterAll(async () => {
    await running?.stop();
  });

  const ask = ({ method, path, operation }: Described, type?: string, value?: unknown): Promise<Response> => {
    const isOpen = operation.security.length === 0;
    const key = path.startsWith('/api/') ? adminKey : running.apiKey;
    const named = (operation.parameters ?? []).filter(({ in: place }) => place === 'path');
    const address = named.reduce((text, { name, example = '' }) => text.replace(`{${name}}`, example), path);
    return fetch(running.baseUrl + address, {
      method,
      headers: {
        accept: '*/*',
        ...(!isOpen && { authorization: `Bearer ${key}` }),
        ...(type && { 'content-type': type }),
      },
      ...(value !== undefined && { body: JSON.stringify(value) }),
    });
  };

  test('there are examples of everything that costs', () => {
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
    expect(await judge(described, response)).toEqual([]);
    expect(response.status).toBeLessThan(300);
  });

  test.for(readable.map((described) => ({ title: described.path, described })))('GET $title', async ({ described }) => {
    const response = await ask(described);
    expect(await judge(described, response)).toEqual([]);
    expect(response.status).toBe(200);
  });

  test('an answer that is not as described is noticed', async () => {
    const [models] = readable.filter(({ path }) => path === '/v1/models');
    if (models === undefined) throw new Error('There is no list of models.');
    const strange = Response.json({ object: 'list', data: [], surprise: 1 });
    expect(await judge(models, strange)).toEqual([expect.stringContaining('surprise')]);
  });

  test('errors are as described, with a code the document knows', async () => {
    const refused = await fetch(`${running.baseUrl}/v1/chat/completions`, { method: 'POST', body: '{}' });
    const [chat] = operations.filter(({ operation }) => operation.operationId === 'createChatCompletion');
    const described = { ...chat, operation: { ...chat?.operation, responses: { 401: errorAnswer } } } as Described;
    expect(refused.status).toBe(401);
    expect(await judge(described, refused)).toEqual([]);
  });
});

const errorAnswer = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
