export { replayConfig, type ReplayConfig } from './config.ts';
export { holdBody, wholeBody } from './hold-body.ts';
export { openReplays, type ReplayNeeds } from './open-replays.ts';
export type { Replays, ProtectedOperation } from './replays.ts';
