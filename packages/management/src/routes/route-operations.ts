import { routeNameSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { namedRouteSchema, routeRecordSchema } from './route-record.ts';

const routeName = z.strictObject({ name: routeNameSchema });

/** A route decides which models read the requests to its name and what they cost, so only owners decide about it. */
export const routeOperations = {
  listRoutes: {
    method: 'GET',
    path: '/routes',
    summary: "Lists the account's routes by name.",
    access: 'member',
    input: z.strictObject({}),
    output: z.object({ routes: z.array(routeRecordSchema) }),
  },
  readRoute: {
    method: 'GET',
    path: '/routes/{name}',
    summary: 'Returns a route of the account.',
    access: 'member',
    input: routeName,
    output: routeRecordSchema,
  },
  putRoute: {
    method: 'PUT',
    path: '/routes/{name}',
    summary:
      'Creates a route, or replaces the one of this name, everywhere within a second. Members that are omitted have their defaults.',
    access: 'owner',
    input: namedRouteSchema,
    output: routeRecordSchema,
    example: {
      summary: 'Nine of ten conversations with one model, and one with another',
      value: {
        name: 'fast',
        description: 'what the support bot uses',
        targets: [
          { model: 'gpt-5.4-mini', weight: 90 },
          { model: 'claude-haiku-4-5', weight: 10 },
        ],
        then: ['gemini-3.5-flash'],
      },
    },
  },
  deleteRoute: {
    method: 'DELETE',
    path: '/routes/{name}',
    summary: 'Deletes a route, everywhere within a second. Requests to its name then find no model.',
    access: 'owner',
    input: routeName,
    output: routeRecordSchema,
  },
} as const satisfies ApiOperations;
