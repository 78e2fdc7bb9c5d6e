import { z } from 'zod';
import { healthSchema, statusSchema } from '../answers/general.ts';
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
    summary: 'Reports whether the gateway and its dependencies work.',
    description:
      'Each check takes at most two seconds. For single processes, see `/livez` and `/readyz` on the admin port.',
    access: 'open',
    parameters: [
      {
        name: 'skip',
        in: 'query',
        description:
          'Checks to skip, comma-separated: `redis`, `database`, `nats`, `services`. A skipped one is not connected, and says so in `error`; it does not count in `status`.',
        schema: z.string(),
        example: 'redis',
      },
    ],
    answers: {
      200: { description: 'Everything works.', content: { [json]: { schema: healthSchema } } },
      503: {
        description: 'A dependency is not reachable; `message` names it.',
        content: { [json]: { schema: healthSchema } },
      },
    },
    failures: ['invalid_parameters'],
  },
  {
    id: 'getStatus',
    method: 'GET',
    path: '/status.json',
    tag: 'Health',
    summary: 'Reports state, uptime and incidents of the providers.',
    description:
      'Exists only if the operator has turned the status page on. `/status` is the same as a page, `/status.atom` a feed of the incidents.',
    access: 'open',
    parameters: [ifNoneMatch()],
    answers: {
      200: { description: 'The status.', headers: ['ETag'], content: { [json]: { schema: statusSchema } } },
      304: { description: 'Not changed since the given ETag.', headers: ['ETag'] },
    },
    failures: ['not_found', 'unavailable'],
  },
  {
    id: 'listModels',
    method: 'GET',
    path: '/v1/models',
    tag: 'Models',
    summary: 'Lists the models with their providers, prices and features.',
    description:
      'Lists the models that the configured provider keys can call. Needs no API key; with one, only the models it may use. To clients that send `anthropic-version` or `x-goog-api-client`, it answers in the form of these APIs, page by page.',
    access: 'optional',
    parameters: [
      {
        name: 'include_deactivated',
        in: 'query',
        description: 'Includes models that no provider serves any more.',
        schema: flag,
        example: 'true',
      },
      {
        name: 'exclude_deprecated',
        in: 'query',
        description: 'Leaves out models whose `stability` is `deprecated`, because of a date or an announced end.',
        schema: flag,
        example: 'true',
      },
      {
        name: 'include_unavailable',
        in: 'query',
        description:
          'Includes models of providers without a key or an address; `unavailable_reason` says what is missing.',
        schema: flag,
        example: 'true',
      },
      ifNoneMatch(),
    ],
    answers: {
      200: { description: 'The list.', headers: ['ETag'], content: { [json]: { schema: modelListSchema } } },
      304: { description: 'Not changed since the given ETag.', headers: ['ETag'] },
    },
    failures: ['invalid_parameters', 'invalid_api_key', 'rate_limit_exceeded', 'unavailable'],
  },
  {
    id: 'getModel',
    method: 'GET',
    path: '/v1/models/{id}',
    tag: 'Models',
    summary: 'Returns one model by id, alias or prefixed id.',
    access: 'optional',
    parameters: [
      {
        name: 'id',
        in: 'path',
        description: 'Slashes need no encoding.',
        schema: z.string(),
        example: 'sandbox-chat',
      },
      ifNoneMatch(),
    ],
    answers: {
      200: { description: 'The model.', headers: ['ETag'], content: { [json]: { schema: modelRecordSchema } } },
      304: { description: 'Not changed since the given ETag.', headers: ['ETag'] },
    },
    failures: ['invalid_api_key', 'model_not_found', 'rate_limit_exceeded', 'unavailable'],
  },
];

function ifNoneMatch() {
  const description = 'The ETag of an earlier answer.';
  return { name: 'If-None-Match', in: 'header', description, schema: z.string() } as const;
}
