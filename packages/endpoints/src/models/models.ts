import type { ErrorCode } from '@tallyport/contracts';
import { z } from 'zod';
import { json } from '../content-types.ts';
import type { EndpointDescription, Parameter } from '../description.ts';
import { listedModelsSchema, modelRecordSchema } from './model-record.ts';

const flag = z.enum(['true', 'false', '1', '0']);
const flagOf = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema: flag.optional(),
  example: 'true',
});

const unchanged = { description: 'Not changed since the given ETag.', headers: ['ETag'] };
const failures: readonly ErrorCode[] = ['invalid_api_key', 'rate_limit_exceeded', 'unavailable'];

export const modelListDescription: EndpointDescription = {
  id: 'listModels',
  tag: 'Models',
  summary: 'Lists the models with their providers, prices and features.',
  description:
    'Lists the models that the configured provider keys can call. Needs no API key; with one, only the models it may use. To clients that send `anthropic-version` or `x-goog-api-client`, it answers in the form of these APIs, page by page.',
  parameters: [
    flagOf('include_deactivated', 'Includes models that no provider serves any more.'),
    flagOf(
      'exclude_deprecated',
      'Leaves out models whose `stability` is `deprecated`, because of a date or an announced end.',
    ),
    flagOf(
      'include_unavailable',
      'Includes models of providers without a key or an address; `unavailable_reason` says what is missing.',
    ),
  ],
  headers: ['If-None-Match'],
  answers: {
    200: { description: 'The list.', headers: ['ETag'], content: { [json]: { schema: listedModelsSchema } } },
    304: unchanged,
  },
  failures: ['invalid_parameters', ...failures],
};

export const modelDescription: EndpointDescription = {
  id: 'getModel',
  tag: 'Models',
  summary: 'Returns one model by id, alias or prefixed id.',
  parameters: [
    {
      name: 'id',
      in: 'path',
      description: 'Slashes need no encoding.',
      schema: z.string(),
      example: 'sandbox-chat',
    },
  ],
  headers: ['If-None-Match'],
  answers: {
    200: { description: 'The model.', headers: ['ETag'], content: { [json]: { schema: modelRecordSchema } } },
    304: unchanged,
  },
  failures: [...failures, 'model_not_found'],
};
