export { replayConfig, type ReplayConfig } from './config.ts';
export { type BodyBounds, holdBody, wholeBody } from './hold-body.ts';
export { openReplays, type ReplayNeeds } from './open-replays.ts';
export type { Replays, ProtectedOperation } from './replays.ts';
