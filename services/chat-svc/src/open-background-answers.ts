import type { Kit } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import type { Background } from './background/background.ts';
import { openBackground } from './background/open-background.ts';
import type { ChatConfig } from './config.ts';
import { type DialectTools, speakDialect } from './dialects/speak-dialect.ts';
import { type InteractionTools, storingInteractions } from './interactions/interact.ts';
import { interactionRuns } from './interactions/interaction-runs.ts';
import { type ResponseTools, storingResponses } from './responses/respond.ts';
import { responseRuns } from './responses/response-runs.ts';

/** Background responses and interactions; none where they are not stored. */
export function openBackgroundAnswers(
  kit: Kit<ChatConfig>,
  store: Store,
  tools: DialectTools & ResponseTools & InteractionTools,
): Background | undefined {
  const { stored, storedInteractions } = tools;
  if (stored === undefined || storedInteractions === undefined) return undefined;
  if (kit.config.RESPONSES_BACKGROUND_OPEN === 0) return undefined;
  const responses = responseRuns({
    stored,
    handler: (identity) => speakDialect(storingResponses({ ...tools, identity }), tools),
  });
  const interactions = interactionRuns({
    stored: storedInteractions,
    handler: (identity) => speakDialect(storingInteractions({ ...tools, identity }), tools),
  });
  return openBackground(kit, { store, forms: [responses, interactions] });
}
