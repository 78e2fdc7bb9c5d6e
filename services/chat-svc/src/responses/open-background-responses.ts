import type { Kit } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import type { Background } from '../background/background.ts';
import { openBackground } from '../background/open-background.ts';
import type { ChatConfig } from '../config.ts';
import { type DialectTools, speakDialect } from '../dialects/speak-dialect.ts';
import { type ResponseTools, storingResponses } from './respond.ts';
import { responseRuns } from './response-runs.ts';

/** Background responses; none where no responses are stored. */
export function openBackgroundResponses(
  kit: Kit<ChatConfig>,
  store: Store,
  tools: DialectTools & ResponseTools,
): Background | undefined {
  const { stored } = tools;
  if (stored === undefined || kit.config.RESPONSES_BACKGROUND_OPEN === 0) return undefined;
  const form = responseRuns({
    stored,
    handler: (identity) => speakDialect(storingResponses({ ...tools, identity }), tools),
  });
  return openBackground(kit, { store, forms: [form] });
}
