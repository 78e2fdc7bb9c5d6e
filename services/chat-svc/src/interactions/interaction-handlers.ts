import { type DialectTools, speakDialect } from '../dialects/speak-dialect.ts';
import { type InteractionTools, storingInteractions } from './interact.ts';
import { interactionResource } from './interaction-resource.ts';

/** The handlers of `/v1beta/interactions` and the paths below it. */
export const interactionHandlers = (tools: DialectTools & InteractionTools) => ({
  interact: speakDialect(storingInteractions(tools), tools),
  ...interactionResource(tools),
});
