export { redactAnswer } from './answer.ts';
export type { TextRules } from './text-rules.ts';
export { type ChunkGuard, createChunkGuard } from './chunks.ts';
export { compileGuard, createGuards, type CompiledGuardrails } from './guard.ts';
export { redactRequest } from './request.ts';
export { createTally, type GuardedPart, type RuleTally } from './tally.ts';
export { createTextGuard } from './texts.ts';
