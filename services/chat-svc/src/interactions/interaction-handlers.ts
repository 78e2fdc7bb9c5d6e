import { geminiInteractions } from '@tallyport/dialects';
import { backgroundOf } from '../background/background-of.ts';
import { type DialectTools, speakDialect } from '../dialects/speak-dialect.ts';
import { deferInteraction, type DeferInteractionTools } from './defer-interaction.ts';
import { storingInteractions } from './interact.ts';
import { interactionResource } from './interaction-resource.ts';

/** The handlers of `/v1beta/interactions` and the paths below it. */
export const interactionHandlers = (tools: DialectTools & DeferInteractionTools) => ({
  interact: speakDialect(
    storingInteractions(tools, (request) => deferInteraction(request, tools)),
    tools,
  ),
  ...interactionResource({ ...tools, background: backgroundOf(geminiInteractions.name, tools.background) }),
});
