import { findChatProvider } from '../../chat-providers.ts';
import { type CanonicalName, canonicalRequests as asked } from './canonical-requests.ts';
import type { Column, FurtherBodies, Refusal } from './column.ts';
import { type FurtherName, furtherRequests as further } from './further-requests.ts';

type Bodies = Column['bodies'];
type Changes = Partial<Record<CanonicalName | FurtherName, Readonly<Record<string, unknown>> | Refusal>>;

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

/** Most vendors get what the client sent, except for outdated members of the format and our own. */
function commonOf(model: string): Bodies {
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

/** The further requests: only allowed tools are sent, and settings without tools are removed. */
function furtherOf(model: string): FurtherBodies {
  const { callsWithoutTools: calls, toolChoiceAllowed: allowed } = further;
  const sent = Object.entries(further).map(([name, request]) => [name, { ...request, model }]);
  return {
    ...further,
    ...Object.fromEntries(sent),
    callsWithoutTools: { model, messages: calls.messages },
    toolChoiceAllowed: { ...allowed, model, tools: allowed.tools.slice(1), tool_choice: 'required' },
  };
}

interface Offered {
  id: string;
  modelName: string;
  reasoning?: boolean;
  /** Members added to every body. */
  always?: Readonly<Record<string, unknown>>;
  /** Members that differ, by request; `undefined` if one is not sent. */
  differs?: Changes;
}

export function openAiFormatColumn({ id, modelName, reasoning = false, always = {}, differs = {} }: Offered): Column {
  const provider = findChatProvider(id);
  if (provider === undefined) throw new Error(`There is no provider ${id}.`);
  const changes = new Map<string, Changes[keyof Changes]>(Object.entries(differs));
  const changed = (bodies: object) =>
    Object.fromEntries(
      Object.entries(bodies).map(([name, body]) => {
        const change = changes.get(name);
        return [name, change !== undefined && 'refused' in change ? change : { ...body, ...always, ...change }];
      }),
    );
  const [common, more] = [commonOf(modelName), furtherOf(modelName)];
  return {
    title: `${id} ${modelName}`,
    provider,
    offer: { modelName, reasoning },
    bodies: { ...common, ...changed(common) },
    further: { ...more, ...changed(more) },
  };
}
