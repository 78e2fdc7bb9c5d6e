import { z } from 'zod';
import { healthSchema, statusSchema } from '../answers/general.ts';
import type { DescribedOperation } from '../operation.ts';
import { requestHeaders } from './request-headers.ts';

const json = 'application/json';

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
        schema: z.string().optional(),
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
    parameters: requestHeaders.filter(({ name }) => name === 'If-None-Match'),
    answers: {
      200: { description: 'The status.', headers: ['ETag'], content: { [json]: { schema: statusSchema } } },
      304: { description: 'Not changed since the given ETag.', headers: ['ETag'] },
    },
    failures: ['not_found', 'unavailable'],
  },
];
