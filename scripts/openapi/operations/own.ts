import { ownKeySchema, ownUsageSchema } from '../answers/own.ts';
import type { DescribedOperation } from '../operation.ts';

const json = 'application/json';

/** Operations with which a key reads its own data. */
export const ownOperations: readonly DescribedOperation[] = [
  {
    id: 'ownUsage',
    method: 'GET',
    path: '/v1/usage',
    tag: 'Key',
    summary: 'Returns the usage of this key today and this month, by model.',
    access: 'key',
    answers: { 200: { description: 'The sums.', content: { [json]: { schema: ownUsageSchema } } } },
    failures: ['invalid_api_key', 'rate_limit_exceeded', 'unavailable'],
  },
  {
    id: 'ownKey',
    method: 'GET',
    path: '/v1/key',
    tag: 'Key',
    summary: 'Returns the permissions and limits of this key, and what is left of its budgets.',
    access: 'key',
    answers: { 200: { description: 'The key.', content: { [json]: { schema: ownKeySchema } } } },
    failures: ['invalid_api_key', 'rate_limit_exceeded', 'unavailable'],
  },
];
