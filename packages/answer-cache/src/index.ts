export type { CacheResult, CacheMiss, StreamSubscription } from './answer-cache.ts';
export { answerKey, type KeyParts } from './answer-key.ts';
export { answerCacheConfig, type AnswerCacheConfig } from './config.ts';
export { decodeEntry, encodeEntry, type Entry } from './entry.ts';
export { EventLog, eventReader } from './event-log.ts';
export { type AnswerCacheNeeds, openAnswerCache } from './open-answer-cache.ts';
export type { PlannedRequest } from './planned-request.ts';
export type { AnswerRecorder } from './answer-recorder.ts';
export type { ThroughCache } from './through-cache.ts';
