import { catalogueOf, modelOf, offerOf } from '../../packages/contracts/src/testing/index.ts';
import { type ChatBench, startChatBench } from '../../services/chat-svc/src/testing/chat-bench.ts';
import { median } from '../measure/stats.ts';
import { startSimulatedVendors } from './simulated-vendors.ts';

/**
 * CPU of a whole request in chat-svc, by vendor and API: as a chat, translated from the vendor's API to another vendor, and
 * passed on to the vendor. The client is in the process as well, and costs each lane the same. Goals: passed on at most as
 * much as a chat of the same vendor, translated at most 1.3 times.
 */
const [requests, atOnce, rounds] = [1_000, 8, 7];

const offers = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-4-5',
  google: 'gemini-2.5-flash-lite',
  'sandbox-a': 'sandbox-chat',
};
const [url, prompt] = [await startSimulatedVendors(), 'Describe the quick brown fox. '.repeat(30)];
const bench = await startChatBench({
  environment: {
    CACHE_TTL_SECONDS: '0',
    SANDBOX_BASE_URL: url,
    OPENAI_API_KEY: 'any',
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_API_KEY: 'any',
    ANTHROPIC_BASE_URL: `${url}/anthropic`,
    GEMINI_API_KEY: 'any',
    GEMINI_BASE_URL: `${url}/google`,
  },
  catalogue: catalogueOf(
    ...Object.entries(offers).map(([provider, model]) => modelOf(model, [offerOf(provider, { modelName: model })])),
  ),
});

type Ask = () => ReturnType<ChatBench['ask']>;
/** Once, not per request: what the client spends on its body would count for the lane. */
const encoded = (body: object): Buffer => Buffer.from(JSON.stringify(body));
const principal = { accountId: 'account', keyId: 'key' };
const chat = (model: string): Ask => {
  const body = encoded({ model, max_tokens: 500, messages: [{ role: 'user', content: prompt }] });
  return () => bench.ask(body, { principal });
};
const messages = (model: string): Ask => {
  const body = encoded({ model, max_tokens: 500, messages: [{ role: 'user', content: prompt }] });
  return () => bench.inApi('messages', body, { principal });
};
const responses = (model: string): Ask => {
  const body = encoded({ model, store: false, input: prompt });
  return () => bench.inApi('responses', body, { principal });
};
const gemini = (model: string): Ask => {
  const body = encoded({ contents: [{ role: 'user', parts: [{ text: prompt }] }] });
  return () => bench.inApi('generateContent', body, { principal, path: `${model}:generateContent` });
};

const lanes: [api: string, asks: Record<'chat' | 'native' | 'chat elsewhere' | 'translated', Ask>][] = [
  ['Messages', lanesOf(messages, offers.anthropic)],
  ['Responses', lanesOf(responses, offers.openai)],
  ['Gemini', lanesOf(gemini, offers.google)],
];

function lanesOf(api: (model: string) => Ask, own: string) {
  const other = offers['sandbox-a'];
  return { chat: chat(own), native: api(own), 'chat elsewhere': chat(other), translated: api(other) };
}

console.log('µs of CPU per request    chat   native   ratio     chat elsewhere   translated   ratio');
for (const [api, asks] of lanes) {
  const costs = await measure(asks);
  const { chat: own, native, 'chat elsewhere': other, translated } = costs;
  const figures = [own, native, native / own, other, translated, translated / other];
  const [a, b, c, d, e, f] = figures.map((figure) => (figure < 10 ? figure.toFixed(2) : figure.toFixed(0)));
  console.log(
    `${api.padEnd(22)} ${a!.padStart(6)} ${b!.padStart(8)} ${c!.padStart(7)} ${d!.padStart(18)} ${e!.padStart(12)} ${f!.padStart(7)}`,
  );
}
await bench.close();
process.exit(0);

/** The lanes take turns, so that a noisy moment affects each of them. */
async function measure<Name extends string>(asks: Record<Name, Ask>): Promise<Record<Name, number>> {
  const entries = Object.entries(asks) as [Name, Ask][];
  const costs = new Map<Name, number[]>(entries.map(([name]) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, ask] of entries) {
      const cost = await costOf(ask);
      if (round > 0) costs.get(name)?.push(cost);
    }
  }
  return Object.fromEntries([...costs].map(([name, list]) => [name, median(list)])) as Record<Name, number>;
}

async function costOf(ask: Ask): Promise<number> {
  let begun = 0;
  const before = process.cpuUsage();
  const client = async (): Promise<void> => {
    while (begun++ < requests) {
      const { status, text } = await ask();
      if (status !== 200) throw new Error(`A request failed with ${status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}
