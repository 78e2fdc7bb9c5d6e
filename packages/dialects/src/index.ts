export * from './anthropic-messages/index.ts';
export { inClientWords, type MemberNames } from './client-words.ts';
export type * from './dialect.ts';
export * from './gemini/index.ts';
export * from './interactions/index.ts';
export { openAiCompletions } from './openai-completions/index.ts';
export { completionRequestSchema } from './openai-completions/request-schema.ts';
export * from './openai-responses/index.ts';
