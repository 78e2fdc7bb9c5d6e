import { json } from '../content-types.ts';
import type { EndpointDescription } from '../description.ts';
import { providersSchema } from './answers.ts';

export const providersDescription: EndpointDescription = {
  id: 'listProviders',
  tag: 'Routing',
  summary: 'Lists the offers this key may use, with their health.',
  answers: { 200: { description: 'The offers.', content: { [json]: { schema: providersSchema } } } },
  failures: ['invalid_api_key', 'rate_limit_exceeded', 'unavailable'],
};
