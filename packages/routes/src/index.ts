export { checkRoute, type CompiledRoute, type CompileRoute, openRouteCompiler } from './compile.ts';
export type { RouteFacts } from './facts.ts';
export { resolveRoute, type RouteChoice, type RouteQuestion, type RouteReason } from './resolve.ts';
