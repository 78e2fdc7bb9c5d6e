import { type DialectTools, speakDialect } from '../dialects/speak-dialect.ts';
import { countInputTokens, type InputCountTools } from './count-input-tokens.ts';
import { compacting, storingResponses } from './respond.ts';
import { storedResource } from './stored-resource.ts';

/** The handlers of `/v1/responses` and the paths below it. */
export const responseHandlers = (tools: DialectTools & InputCountTools) => ({
  responses: speakDialect(storingResponses(tools), tools),
  compactResponse: speakDialect(compacting(tools), tools),
  countResponseTokens: countInputTokens(tools),
  ...storedResource(tools),
});
