import { routeNameSchema, routeSchema } from '@tallyport/contracts';
import { z } from 'zod';

/** All of a route. What is omitted has its default. */
export const namedRouteSchema = routeSchema.extend({ name: routeNameSchema });

export type NamedRoute = z.infer<typeof namedRouteSchema>;

/** A route as it is stored. */
export const routeRecordSchema = namedRouteSchema.extend({ createdAt: z.string(), updatedAt: z.string() }).strip();

export type RouteRecord = z.infer<typeof routeRecordSchema>;
