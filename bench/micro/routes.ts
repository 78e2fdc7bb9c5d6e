import { inProcessLink } from '../../packages/bus/src/index.ts';
import { type Model, routeSchema } from '../../packages/contracts/src/index.ts';
import { indexCatalogue } from '../../packages/dispatch/src/index.ts';
import { askedModels } from '../../packages/serving/src/index.ts';
import { openRoutes } from '../../packages/serving/src/routes/open-routes.ts';
import { chatRoutes } from '../../services/chat-svc/src/named-routes/chat-routes.ts';
import { median } from '../measure/stats.ts';

/**
 * CPU cost of the routes of a chat of 1,200 tokens: where the name is a model, where it is a route with weights alone, and
 * where the route has ten conditions of which none is true.
 */
const conditions = [
  'request.tokens > 100000',
  'request.tools.size() > 10',
  '"image" in request.modalities',
  'request.structured_output',
  '!request.stream',
  'request.headers["x-route-tier"] == "blue"',
  'request.end_user == "bob"',
  'key.id == "key_2" || project.id == "proj_2"',
  'budget.left < 5',
  'time.hour > 24',
];
const targets = [
  { model: 'stable', weight: 95 },
  { model: 'canary', weight: 5 },
];
const named = {
  weights: routeSchema.parse({ targets }),
  conditions: routeSchema.parse({ targets, when: conditions.map((text) => ({ if: text, use: ['other'] })) }),
};
const models: Model[] = [];
const withRoutes = indexCatalogue({ version: '1', models, routes: named });
const withoutRoutes = indexCatalogue({ version: '1', models });

const tool = (name: string) => ({ type: 'function' as const, function: { name, parameters: { type: 'object' } } });
const tools = ['web_search', 'lookup', 'book', 'cancel'].map(tool);
const head = {
  requestId: 'req_1',
  timeoutMs: 1_000,
  headers: { 'content-type': 'application/json', 'x-route-tier': 'gold' },
  principal: { accountId: 'default', keyId: 'key_1', projectId: 'proj_1' },
};
const rounds = 20_000;
const link = inProcessLink();

for (const [title, model, index] of [
  ['without routes', 'stable', withoutRoutes],
  ['weights alone', 'weights', withRoutes],
  ['ten conditions', 'conditions', withRoutes],
] as const) {
  const ground = { routes: openRoutes({ link, index: () => index }), budgetLeft: () => 12.5 };
  let conversation = 0;
  const cost = async (): Promise<number> => {
    const before = process.cpuUsage();
    for (let count = 0; count < rounds; count += 1) {
      const user = `conversation ${(conversation += 1)}`;
      const content = 'words '.repeat(800);
      const request = { model, user, stream: true, tools, messages: [{ role: 'user' as const, content }] };
      await askedModels([model], chatRoutes(ground, { head }, { request }));
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / rounds;
  };
  await cost();
  const costs: number[] = [];
  for (let run = 0; run < 9; run += 1) costs.push(await cost());
  console.log(`${median(costs).toFixed(1)} µs of CPU for the routes of a request: ${title}`);
}
await link.close();
