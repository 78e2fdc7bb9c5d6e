import type { Offer } from '../../packages/contracts/src/index.ts';
import { catalogueOf, modelOf } from '../../packages/contracts/src/testing/index.ts';
import { indexCatalogue, planChat } from '../../packages/dispatch/src/index.ts';
import { defaultRouting } from '../../packages/dispatch/src/settings.ts';
import { createStandings, type Standings } from '../../packages/dispatch/src/standing/standings.ts';

/** What a plan for the model `model` with these offers is made from. */
export const planInputOf = (offers: readonly Offer[], standings: Standings) => ({
  index: indexCatalogue(catalogueOf(modelOf('model', offers))),
  obstacle: () => undefined,
  standing: standings.of,
  settings: defaultRouting,
  maxAttempts: 3,
  random: 1,
  now: Date.now(),
});

/** The plan of a chat with the model `model`, whose offers have not been called yet. */
export function chatPlanOf(offers: readonly Offer[]): ReturnType<typeof planChat> {
  const standings = createStandings({ settings: defaultRouting });
  const plan = planChat({ model: 'model', needs: [], fallback: undefined }, planInputOf(offers, standings));
  standings.close();
  return plan;
}
