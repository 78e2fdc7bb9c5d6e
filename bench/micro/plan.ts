import { median } from '../measure/stats.ts';
import { planInputOf } from '../support/chat-plan.ts';
import { planChat, untriedOffers } from '../../packages/dispatch/src/index.ts';
import { defaultRouting } from '../../packages/dispatch/src/settings.ts';
import { createStandings } from '../../packages/dispatch/src/standing/standings.ts';
import { offerOf } from '../../packages/contracts/src/testing/index.ts';

/** CPU cost of planning over 20 offers with a history of calls, and of naming those that were not tried: what routing costs per request. */
const offers = Array.from({ length: 20 }, (_, at) =>
  offerOf(`provider-${at}`, { pricing: { prompt: `0.00000${at + 1}`, completion: `0.0000${at + 1}` } }),
);
const standings = createStandings({ settings: defaultRouting });
for (const [at, offer] of offers.entries()) {
  for (let count = 0; count < 200; count += 1) {
    standings.answered(offer, 300 + at * 10);
    standings.delivered(offer, 200, 3_000 + at * 100);
    if (count % 40 === at) standings.failed(offer, { type: 'provider_overloaded' });
  }
}
const planInput = planInputOf(offers, standings);
const question = { model: 'model', needs: [], fallback: undefined, streaming: true };
const plans = 20_000;

const plan = planChat(question, planInput);
const [first] = plan.candidates;
const tried = [{ provider: first?.offer.providerId ?? '', model: 'model' }];

for (const [title, work] of [
  ['a plan over', () => planChat(question, planInput)],
  ['the text that names those not tried of', () => JSON.stringify(untriedOffers(plan, tried))],
] as const) {
  const cost = (): number => {
    const before = process.cpuUsage();
    for (let count = 0; count < plans; count += 1) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / plans;
  };
  cost();
  const micros = median(Array.from({ length: 9 }, cost)).toFixed(1);
  console.log(`${micros} µs of CPU for ${title} ${offers.length} offers`);
}
standings.close();
