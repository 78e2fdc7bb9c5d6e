export { type OpenAccountKeys, openAccountKeys } from './account-keys/open-account-keys.ts';
export { unknownModelsConfig, upstreamConfig } from './config.ts';
export { checkProviderKeys, type CheckedProvider } from './provider-keys/check-provider-keys.ts';
export { describeKeys } from './provider-keys/describe-keys.ts';
export { openProviderTargets, type ProviderTargets } from './provider-targets.ts';
export { settingsInForce } from './routing-config.ts';
export { type RoutingEvents, routingEvents } from './routing-events.ts';
export type { Routing } from './routing.ts';
export { openUpstreams, type Upstreams } from './upstreams.ts';
