export { forgetAnswersOf } from './forget-answers.ts';
export { replayConfig } from './config.ts';
export { type BodyBounds, holdBody, wholeBody } from './hold-body.ts';
export { answerRulesOf, readOnceKey } from './read-key.ts';
export { keyOfAnother } from './refusals.ts';
export { openReplays } from './open-replays.ts';
export type { Replays } from './replays.ts';
