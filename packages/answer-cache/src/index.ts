export type { CacheResult, Making, Reading } from './answer-cache.ts';
export { answerKey, type KeyParts } from './answer-key.ts';
export { answerCacheConfig, type AnswerCacheConfig } from './config.ts';
export { decodeEntry, encodeEntry, type Entry } from './entry.ts';
export { EventLog, eventReader } from './event-log.ts';
export { type AnswerCacheNeeds, openAnswerCache } from './open-answer-cache.ts';
export type { PlannedRequest } from './planned-request.ts';
export type { Taking } from './taking.ts';
export type { ThroughCache } from './through-cache.ts';
