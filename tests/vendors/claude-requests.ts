import type { ChatRequest } from '@tallyport/wire';

type RequestMembers = Partial<ChatRequest>;

const user = (content: string) => ({ role: 'user' as const, content });
const call = (id: string, name = 'f') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: '{"city":"Rome"}' },
});
const caller = (id: string) => ({ role: 'assistant' as const, content: null, tool_calls: [call(id)] });
const result = (id: string) => ({ role: 'tool' as const, tool_call_id: id, content: 'Sunny' });

const tool = (parameters?: Record<string, unknown>, strict?: boolean) => ({
  type: 'function' as const,
  function: { name: 'f', ...(parameters && { parameters }), ...(strict && { strict }) },
});
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const bounded = {
  type: 'object',
  properties: {
    age: { type: 'integer', minimum: 0, maximum: 150 },
    name: { type: 'string', minLength: 1, maxLength: 80, pattern: '^[A-Z]', format: 'zip' },
    tags: { type: 'array', items: { oneOf: [{ const: 'a' }, { type: 'null' }] }, minItems: 2, uniqueItems: true },
    place: { $ref: '#/$defs/place', description: 'Where.' },
  },
  required: ['age'],
  $defs: { place: city },
  $schema: 'https://json-schema.org/draft/2020-12/schema',
};
const alternatives = { oneOf: [city, { properties: { zip: { type: 'string' } }, required: ['zip'] }] };
const schema = (value: Record<string, unknown> | null): RequestMembers => ({
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: value } },
});
const map = { type: 'object', additionalProperties: { type: 'number' } };
const tree = {
  type: 'object',
  properties: { root: { $ref: '#/$defs/node' } },
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
};
const named = { type: 'function' as const, function: { name: 'f' } };
const one: RequestMembers = { tools: [tool(city)], parallel_tool_calls: false };
const history: ChatRequest['messages'] = [user('Weather?'), caller('a'), result('a'), user('Thanks')];
const begun: ChatRequest['messages'] = [user('Count.'), { role: 'assistant', content: 'One,' }];
const repeated: ChatRequest['messages'] = [
  user('Weather?'),
  { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
  { role: 'function', name: 'f', content: 'Sunny' },
  user('Again?'),
  { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
  { role: 'function', name: 'f', content: 'Rain' },
];

/** Requests of documented clients that Claude refuses if they are sent unchanged. */
export const claudeRequests: Readonly<Record<string, RequestMembers>> = {
  'a schema with bounds': schema(bounded),
  'a schema with bounds beside tools': { ...schema(bounded), tools: [tool(city)] },
  'a schema of a map': schema(map),
  'a schema that contains itself': schema(tree),
  'no schema': schema(null),
  'a schema and thinking': { ...schema(bounded), reasoning_effort: 'high' },
  'any JSON object': { response_format: { type: 'json_object' } },
  'a strict tool': { tools: [tool(bounded, true)] },
  'a strict tool of a map': { tools: [tool(map, true)] },
  'a strict tool without input': { tools: [tool(undefined, true)] },
  'a tool of alternatives': { tools: [tool(alternatives)] },
  'a strict tool of alternatives': { tools: [tool(alternatives, true)] },
  'a tool whose schema has no type': { tools: [tool({ properties: city.properties })] },
  'one call at a time': one,
  'one call at a time, as it likes': { ...one, tool_choice: 'auto' },
  'one call at a time, of any tool': { ...one, tool_choice: 'required' },
  'one call at a time, of this tool': { ...one, tool_choice: named },
  'one call at a time, of none': { ...one, tool_choice: 'none' },
  'one call at a time, without tools': { parallel_tool_calls: false },
  'a forced tool and thinking': { tools: [tool(city)], tool_choice: 'required', reasoning_effort: 'high' },
  'a forced tool and a little thinking': { tools: [tool(city)], tool_choice: named, reasoning_effort: 'minimal' },
  'no thinking': { reasoning_effort: 'none' },
  'an empty last message': { messages: [...begun, user('')] },
  'a last message of blanks': { messages: [...begun, user(' \n')] },
  'only an empty message': { messages: [user('')] },
  'an answer begun': { messages: begun },
  'an answer begun, and a schema': { ...schema(bounded), messages: begun },
  'an answer begun, and thinking': { messages: begun, reasoning_effort: 'high' },
  'calls without tools': { messages: history },
  'calls and an empty list of tools': { messages: history, tools: [] },
  'calls without tools, and one at a time': { messages: history, parallel_tool_calls: false },
  'calls, and no tool to be called': { messages: history, tools: [tool(city)], tool_choice: 'none' },
  'an empty list of tools': { tools: [] },
  'an empty list of functions': { functions: [] },
  functions: { functions: [{ name: 'f', parameters: city }], function_call: 'auto' },
  'a function that has to be called': { functions: [{ name: 'f', parameters: city }], function_call: { name: 'f' } },
  'functions called before': { functions: [{ name: 'f', parameters: city }], messages: repeated },
  'an id used twice': { tools: [tool(city)], messages: [...history, caller('a'), result('a')] },
  'a refusal': { messages: [user('Do it.'), { role: 'assistant', content: null, refusal: 'No.' }, user('Why?')] },
  'blanks between': { messages: [user('a'), { role: 'assistant', content: ' ' }, user('b')] },
  'hints without a counterpart': { n: 1, seed: 7, logit_bias: {}, presence_penalty: 1, verbosity: 'low', store: false },
  'more tokens than there are': { max_tokens: 1_000_000 },
};
