import { median } from '../measure/stats.ts';
import { planInputOf } from '../support/chat-plan.ts';
import { planChat } from '../../packages/dispatch/src/index.ts';
import { defaultRouting } from '../../packages/dispatch/src/settings.ts';
import { createStandings } from '../../packages/dispatch/src/standing/standings.ts';
import { offerOf } from '../../packages/contracts/src/testing/index.ts';

/** CPU cost of planning over 20 offers with a history of calls: the cost of routing per request. */
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

function cost(): number {
  const before = process.cpuUsage();
  for (let count = 0; count < plans; count += 1) planChat(question, planInput);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / plans;
}

cost();
console.log(`${median(Array.from({ length: 9 }, cost)).toFixed(1)} µs of CPU for a plan over ${offers.length} offers`);
standings.close();
