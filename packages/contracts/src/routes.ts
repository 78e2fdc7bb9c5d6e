import { z } from 'zod';
import { knownBudgetSchema } from './budget.ts';

/** Clients send it as `model`. It wins over a model of the same name, so that a route may take the place of one. */
export const routeNameSchema = z
  .string('must be a string')
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, hyphens and underscores');

/** A model of the catalogue, or one at a provider (`openai/gpt-6-luna`). Never a route, so routes cannot be circular. */
const targetModel = z.string('must be the name of a model').min(1).max(200);

/** Conditions are CEL over the record that docs/routing.md describes. */
const conditionSchema = z.strictObject({
  if: z.string('must be an expression').min(1).max(500),
  use: z.array(targetModel).min(1).max(5),
});

/** A share of the requests is sent to a second model as well, whose answers are thrown away. */
const shadowSchema = z.strictObject({
  model: targetModel,
  percent: z.number().min(0.01).max(100),
  /** The project of the account that pays for it: its name, in which case does not count, or its id. */
  project: z.string().min(1).max(200),
});

const targetSchema = z.strictObject({ model: targetModel, weight: z.number().min(0).max(1_000_000).default(1) });

/** Models that answer for a name of their own. The first condition that is true decides, otherwise the weights. */
export const routeSchema = z.strictObject({
  description: z.string().max(300).optional(),
  targets: z
    .array(targetSchema)
    .min(1)
    .max(10)
    .refine((targets) => targets.some(({ weight }) => weight > 0), 'needs a target with a weight above 0'),
  /** Asked in this order after all targets have failed. */
  then: z.array(targetModel).max(5).default([]),
  when: z.array(conditionSchema).max(20).default([]),
  /** Whether the next model is asked when a content filter has refused the request. */
  onContentFilter: z.enum(['next', 'stop']).default('stop'),
  shadow: shadowSchema.optional(),
});

export type Route = z.infer<typeof routeSchema>;

export const mostRoutes = 100;

/** The routes of an account, or of the operator, by name. */
export const routesSchema = z
  .record(routeNameSchema, routeSchema)
  .refine((routes) => Object.keys(routes).length <= mostRoutes, `must be ${mostRoutes} routes at most`);

/** Those of the operator have no shadow: a project of an account pays for it. */
export const operatorRoutesSchema = z
  .record(routeNameSchema, routeSchema.omit({ shadow: true }))
  .refine((routes) => Object.keys(routes).length <= mostRoutes, `must be ${mostRoutes} routes at most`);

export type Routes = z.infer<typeof routesSchema>;

const knownShadowSchema = shadowSchema.strip().extend({
  /** The project when the routes were loaded; absent if the account has none of this name. No one can set it. */
  payer: z.object({ projectId: z.string(), budget: knownBudgetSchema.optional() }).optional(),
});

/** Routes sent by another version: unknown members are dropped, because a request must not fail over them. */
export const knownRoutesSchema = z.record(
  z.string(),
  routeSchema
    .extend({
      targets: z.array(targetSchema.strip()),
      when: z.array(conditionSchema.strip()),
      shadow: knownShadowSchema.optional(),
    })
    .strip(),
);

/** A route as services know it. */
export type LoadedRoute = z.infer<typeof knownRoutesSchema.valueType>;
