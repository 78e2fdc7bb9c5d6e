import { median } from '../measure/stats.ts';
import { routeSchema } from '../../packages/contracts/src/index.ts';
import { openRouteCompiler, resolveRoute, type RouteFacts } from '../../packages/routes/src/index.ts';

/** CPU cost of a named route: with weights alone, and with ten conditions of which none is true. */
const facts: RouteFacts = {
  request: {
    tokens: () => 1_200,
    modalities: () => ['text'],
    tools: () => ['web_search', 'lookup', 'book', 'cancel'],
    structuredOutput: false,
    stream: true,
    headers: () => new Map([['x-tier', 'gold']]),
    endUser: 'ann',
    api: 'chat',
  },
  keyId: 'key_1',
  projectId: 'proj_1',
  accountId: 'default',
  budgetLeft: 12.5,
  now: new Date(),
};
const conditions = [
  'request.tokens > 100000',
  'request.tools.size() > 10',
  '"image" in request.modalities',
  'request.structured_output',
  '!request.stream',
  'request.headers["x-tier"] == "blue"',
  'request.end_user == "bob"',
  'key.id == "key_2" || project.id == "proj_2"',
  'budget.left < 5',
  'time.hour > 24',
];
const targets = [
  { model: 'stable', weight: 95 },
  { model: 'canary', weight: 5 },
];
const compile = openRouteCompiler();
const when = conditions.map((text) => ({ if: text, use: ['other'] }));
const rounds = 20_000;

for (const [title, route] of [
  ['weights alone', { targets }],
  ['ten conditions', { targets, when }],
] as const) {
  const compiled = compile('fast', routeSchema.parse(route));
  let conversation = 0;
  const cost = (): number => {
    const before = process.cpuUsage();
    for (let count = 0; count < rounds; count += 1)
      resolveRoute(compiled, { facts, key: () => `conversation ${(conversation += 1)}` });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / rounds;
  };
  cost();
  console.log(`${median(Array.from({ length: 9 }, cost)).toFixed(1)} µs of CPU for a route: ${title}`);
}
