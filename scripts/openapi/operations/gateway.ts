import { z } from 'zod';
import { healthSchema } from '../answers/general.ts';
import { modelListSchema, modelRecordSchema } from '../answers/models.ts';
import type { DescribedOperation } from '../operation.ts';

const json = 'application/json';
const flag = z.enum(['true', 'false', '1', '0']);

export const gatewayOperations: readonly DescribedOperation[] = [
  {
    id: 'health',
    method: 'GET',
    path: '/',
    tag: 'Health',
    summary: 'Whether the gateway and what it stands on work.',
    description:
      'Each check answers within two seconds. Of single processes `/livez` and `/readyz` on the admin port tell.',
    access: 'open',
    parameters: [
      {
        name: 'skip',
        in: 'query',
        description: 'Checks to leave out, comma-separated: `redis`, `database`. A skipped one counts as connected.',
        schema: z.string(),
        example: 'redis',
      },
    ],
    answers: {
      200: { description: 'Everything works.', content: { [json]: { schema: healthSchema } } },
      503: { description: 'Something is away; `message` names it.', content: { [json]: { schema: healthSchema } } },
    },
    failures: ['invalid_parameters'],
  },
  {
    id: 'listModels',
    method: 'GET',
    path: '/v1/models',
    tag: 'Models',
    summary: 'The models, with their providers, prices and features.',
    description: 'Needs no key. With one, only what that key may use.',
    access: 'optional',
    parameters: [
      {
        name: 'include_deactivated',
        in: 'query',
        description: 'Also models that no provider serves any more.',
        schema: flag,
        example: 'true',
      },
      {
        name: 'exclude_deprecated',
        in: 'query',
        description: 'Without those whose end has begun.',
        schema: flag,
        example: 'true',
      },
      ifNoneMatch(),
    ],
    answers: {
      200: { description: 'The list.', headers: ['ETag'], content: { [json]: { schema: modelListSchema } } },
      304: { description: 'It is still what you have.', headers: ['ETag'] },
    },
    failures: ['invalid_parameters', 'invalid_api_key', 'rate_limit_exceeded', 'unavailable'],
  },
  {
    id: 'getModel',
    method: 'GET',
    path: '/v1/models/{id}',
    tag: 'Models',
    summary: 'One model, by id, alias or prefixed id.',
    access: 'optional',
    parameters: [
      {
        name: 'id',
        in: 'path',
        description: 'Slashes in it may stay as they are.',
        schema: z.string(),
        example: 'sandbox-chat',
      },
      ifNoneMatch(),
    ],
    answers: {
      200: { description: 'The model.', headers: ['ETag'], content: { [json]: { schema: modelRecordSchema } } },
      304: { description: 'It is still what you have.', headers: ['ETag'] },
    },
    failures: ['invalid_api_key', 'model_not_found', 'rate_limit_exceeded', 'unavailable'],
  },
];

function ifNoneMatch() {
  const description = 'The ETag of an earlier answer.';
  return { name: 'If-None-Match', in: 'header', description, schema: z.string() } as const;
}
