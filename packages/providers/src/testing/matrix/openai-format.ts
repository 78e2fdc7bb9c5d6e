import { findChatProvider } from '../../chat-providers.ts';
import { type CanonicalName, canonicalRequests as asked } from './canonical-requests.ts';
import type { Column, Refusal } from './column.ts';

type Bodies = Column['bodies'];
type Changes = Partial<Record<CanonicalName, Readonly<Record<string, unknown>> | Refusal>>;

export const refused = (param: string): Refusal => ({ refused: 'unsupported_capability', param });

const said = (role: string, content: unknown) => ({ role, content });
export const turns = [said('user', 'One'), said('assistant', 'Two'), said('user', 'Three'), said('user', 'Four')];
const instructed = [
  said('system', 'Be brief.'),
  said('system', [{ type: 'text', text: 'Be kind.' }]),
  said('user', 'Hi'),
];
const call = (id: string, name: string, input: string) => ({
  id,
  type: 'function',
  function: { name, arguments: input },
});
const result = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content });

/** The turns of `toolResults`, with the vendor's id of the call. */
export const toolTurns = (id: string): object[] => [
  said('user', 'Weather in Rome?'),
  { role: 'assistant', content: null, tool_calls: [call(id, 'get_weather', '{"city":"Rome"}')] },
  result(id, 'Sunny'),
];

/** The turns of `parallelTools`. */
export const parallelTurns = (weather: string, time: string): object[] => [
  said('user', 'Weather and time?'),
  {
    role: 'assistant',
    content: 'Let me see.',
    tool_calls: [call(weather, 'get_weather', '{"city":"Rome"}'), call(time, 'get_time', '{}')],
  },
  result(time, '12:00'),
  result(weather, [{ type: 'text', text: 'Sunny' }]),
  said('user', 'And tomorrow?'),
];

/** Most vendors get what the client sent: what differs is the format's own age, and what is ours. */
function common(model: string): Bodies {
  const { max_completion_tokens: most, ...thinking } = asked.reasoning;
  return {
    plain: { ...asked.plain, model },
    system: { model, messages: instructed },
    multiTurn: { model, messages: turns, max_tokens: 100 },
    image: { ...asked.image, model },
    tools: { ...asked.tools, model },
    toolResults: { ...asked.toolResults, model, messages: toolTurns('call_1') },
    parallelTools: { ...asked.parallelTools, model, messages: parallelTurns('call_1', 'call_2') },
    jsonSchema: { ...asked.jsonSchema, model },
    reasoning: { ...thinking, model, max_tokens: most },
    sampling: { ...asked.sampling, model },
    longStopList: { ...asked.longStopList, model },
    unicode: { ...asked.unicode, model },
  };
}

interface Offered {
  id: string;
  modelName: string;
  reasoning?: boolean;
  /** Members every body has besides. */
  always?: Readonly<Record<string, unknown>>;
  /** Members that differ, by request; `undefined` where one is not sent. */
  differs?: Changes;
}

export function openAiFormatColumn({ id, modelName, reasoning = false, always = {}, differs = {} }: Offered): Column {
  const provider = findChatProvider(id);
  if (provider === undefined) throw new Error(`There is no provider ${id}.`);
  const changes = new Map<string, Changes[CanonicalName]>(Object.entries(differs));
  const bodies = Object.entries(common(modelName)).map(([name, body]) => {
    const change = changes.get(name);
    return [name, change !== undefined && 'refused' in change ? change : { ...body, ...always, ...change }];
  });
  return { title: `${id} ${modelName}`, provider, offer: { modelName, reasoning }, bodies: Object.fromEntries(bodies) };
}
