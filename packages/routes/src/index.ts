export { checkRoute, type CompiledRoute, type CompiledRoutes, compileRoutes } from './compile.ts';
export { mostTools } from './conditions/record.ts';
export type { RouteFacts } from './facts.ts';
export {
  type ConditionResult,
  resolveRoute,
  type RouteChoice,
  type RouteModel,
  type RouteQuestion,
  type RouteReason,
  type TargetShare,
} from './resolve.ts';
