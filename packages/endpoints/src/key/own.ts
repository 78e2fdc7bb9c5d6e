import type { ErrorCode } from '@tallyport/contracts';
import { json } from '../content-types.ts';
import type { EndpointDescription } from '../description.ts';
import { ownKeySchema, ownUsageSchema } from './answers.ts';

const failures: readonly ErrorCode[] = ['invalid_api_key', 'rate_limit_exceeded', 'unavailable'];

export const ownUsageDescription: EndpointDescription = {
  id: 'ownUsage',
  tag: 'Key',
  summary: 'Returns the usage of this key today and this month, by model.',
  answers: { 200: { description: 'The sums.', content: { [json]: { schema: ownUsageSchema } } } },
  failures,
};

export const ownKeyDescription: EndpointDescription = {
  id: 'ownKey',
  tag: 'Key',
  summary: 'Returns the permissions and limits of this key, and what is left of its budgets.',
  answers: { 200: { description: 'The key.', content: { [json]: { schema: ownKeySchema } } } },
  failures,
};
