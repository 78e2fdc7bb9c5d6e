export { checkRoute, type CompiledRoute, openRouteCompiler } from './compile.ts';
export type { RouteDecision } from './conditions/decision.ts';
export type { RouteFacts } from './facts.ts';
export { type RouteShadow, shadowOf } from './shadow.ts';
export { resolveRoute, type RouteChoice, type RouteQuestion } from './resolve.ts';
export { modelsWithPlaces, routesProblems } from './routes-problems.ts';
