import type { ExchangeHandler } from '@tallyport/bus';
import { openAiResponses } from '@tallyport/dialects';
import { backgroundOf } from '../background/background-of.ts';
import { type DialectTools, speakDialect } from '../dialects/speak-dialect.ts';
import { conversationHandlers } from './conversation-handlers.ts';
import { countInputTokens, type InputCountTools } from './count-input-tokens.ts';
import { deferResponse, type DeferResponseTools } from './defer-response.ts';
import { preparing } from './prepare.ts';
import { compacting, storingResponses } from './respond.ts';
import { storedResource } from './stored-resource.ts';

/** The handlers of `/v1/responses`, `/v1/conversations` and the paths below them. */
export const responseHandlers = (tools: DialectTools & InputCountTools & DeferResponseTools) => ({
  responses: responding(tools),
  compactResponse: speakDialect(compacting(tools), tools),
  countResponseTokens: countInputTokens(tools),
  ...storedResource({ ...tools, background: backgroundOf(openAiResponses.name, tools.background) }),
  ...conversationHandlers(tools),
});

function responding(tools: DialectTools & DeferResponseTools): ExchangeHandler {
  const dialect = storingResponses(tools, (request) => deferResponse(request, tools));
  return preparing(dialect, tools, speakDialect(dialect, tools));
}
