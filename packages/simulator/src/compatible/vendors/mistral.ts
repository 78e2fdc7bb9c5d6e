import { isObject, objectsOf, type JsonObject, splitCharacters, type ApiError } from '@tallyport/sandbox';
import { findFirst } from '../../finding.ts';
import { compatibleUsage } from '../spelling.ts';
import { mistralOrder, order } from './mistral-order.ts';
import type { CompatibleVendor } from '../vendor.ts';

/** Refuses every unknown member, requires ids of nine characters, and thinks in parts of the content. */
export const mistralVendor: CompatibleVendor = {
  id: 'mistral',
  ownMembers: ['tool_choice', 'reasoning_effort'],
  ownParts: ['document_url', 'file'],
  refuse: (body) =>
    forbidden(body, members, ['body']) ??
    findFirst(objectsOf(body.messages), (message, index) => checkMessage(message, index)) ??
    checkTemperature(body.temperature) ??
    findFirst(objectsOf(body.tools), checkTool) ??
    checkToolChoice(body.tool_choice) ??
    checkOrder(objectsOf(body.messages)),
  errorBody: ({ message, type, param, code, status }) => ({
    object: 'error',
    message: status === 422 ? { detail: [JSON.parse(message)] } : message,
    type,
    param,
    code,
  }),
  errorTexts: {
    401: { message: 'Unauthorized', type: 'invalid_request_error', code: null },
    422: { message: '{"type":"missing","loc":["body"],"msg":"Field required","input":null}' },
    429: { message: 'Requests rate limit exceeded', type: 'rate_limited', code: '1300' },
  },
  spell: () => ({
    reasoning: 'parts',
    usage: compatibleUsage,
    usagePlace: 'last',
    toolId: ({ id }) => id.replaceAll(/[^a-zA-Z0-9]/g, '').slice(-9),
    finishReason: ({ finishReason }) =>
      finishReason === 'length' ? 'model_length' : finishReason === 'refusal' ? 'stop' : finishReason,
    toolDeltas: ({ id, name, arguments: text }) => [
      { id, function: { name, arguments: '' } },
      ...splitCharacters(text, 8).map((part) => ({ function: { name: '', arguments: part } })),
    ],
  }),
};

const members = [
  'model',
  'messages',
  'temperature',
  'top_p',
  'max_tokens',
  'stream',
  'stop',
  'random_seed',
  'response_format',
  'tools',
  'tool_choice',
  'presence_penalty',
  'frequency_penalty',
  'n',
  'prediction',
  'parallel_tool_calls',
  'prompt_mode',
  'reasoning_effort',
  'safe_prompt',
  'prompt_cache_key',
];

const messageMembers: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content'],
  user: ['role', 'content'],
  assistant: ['role', 'content', 'tool_calls', 'prefix'],
  tool: ['role', 'content', 'tool_call_id', 'name'],
};

const unprocessable = (detail: object): ApiError => ({
  status: 422,
  message: JSON.stringify(detail),
  type: 'invalid_request_error',
  param: null,
  code: null,
});

function forbidden(value: JsonObject, known: readonly string[], loc: readonly (string | number)[]) {
  const name = Object.keys(value).find((member) => !known.includes(member));
  if (name === undefined) return undefined;
  const detail = { type: 'extra_forbidden', loc: [...loc, name], msg: 'Extra inputs are not permitted' };
  return unprocessable({ ...detail, input: value[name] });
}

function checkMessage(message: JsonObject, index: number): ApiError | undefined {
  const known = messageMembers[String(message.role)];
  if (known === undefined)
    return unprocessable({
      type: 'union_tag_invalid',
      loc: ['body', 'messages', index],
      msg: 'Input tag is unknown',
      input: message.role,
    });
  if (message.role === 'assistant' && !message.content && objectsOf(message.tool_calls).length === 0)
    return { ...order('Assistant message must have either content or tool_calls, but not none.'), code: '3240' };
  const ids = [message.tool_call_id, ...objectsOf(message.tool_calls).map(({ id }) => id)];
  const wrong = ids.find((id) => id !== undefined && !/^[a-zA-Z0-9]{9}$/.test(String(id)));
  if (wrong !== undefined)
    return unprocessable({
      type: 'value_error',
      loc: ['body', 'messages', index],
      input: wrong,
      msg: `Tool call id was ${String(wrong)} but must be a-z, A-Z, 0-9, with a length of 9.`,
    });
  return (
    forbidden(message, known, ['body', 'messages', index, String(message.role)]) ??
    findFirst(objectsOf(message.content), (part, place) =>
      checkPart(part, ['body', 'messages', index, 'content', place]),
    )
  );
}

const parts: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text'],
  image_url: ['type', 'image_url'],
  document_url: ['type', 'document_url', 'document_name'],
  file: ['type', 'file_id'],
  input_audio: ['type', 'input_audio'],
  reference: ['type', 'reference_ids'],
  thinking: ['type', 'thinking', 'closed'],
};

function checkPart(part: JsonObject, loc: readonly (string | number)[]): ApiError | undefined {
  const known = parts[String(part.type)];
  if (known === undefined)
    return unprocessable({ type: 'union_tag_invalid', loc, msg: 'Input tag is unknown', input: part.type });
  const { input_audio: audio } = part;
  return audio === undefined || typeof audio === 'string'
    ? forbidden(part, known, loc)
    : unprocessable({
        type: 'string_type',
        loc: [...loc, 'input_audio'],
        msg: 'Input should be a valid string',
        input: audio,
      });
}

function checkTemperature(temperature: unknown): ApiError | undefined {
  if (typeof temperature !== 'number' || temperature <= 1.5) return undefined;
  const detail = { type: 'less_than_equal', loc: ['body', 'temperature'], input: temperature };
  return unprocessable({ ...detail, msg: 'Input should be less than or equal to 1.5' });
}

function checkTool(tool: JsonObject, index: number): ApiError | undefined {
  if (isObject(tool.function) && isObject(tool.function.parameters)) return undefined;
  const loc = ['body', 'tools', index, 'function', 'parameters'];
  return unprocessable({ type: 'missing', loc, msg: 'Field required', input: tool.function ?? null });
}

function checkToolChoice(choice: unknown): ApiError | undefined {
  if (choice === undefined || ['auto', 'none', 'any'].includes(String(choice))) return undefined;
  return unprocessable({
    type: 'enum',
    loc: ['body', 'tool_choice'],
    msg: "Input should be 'auto', 'none' or 'any'",
    input: choice,
  });
}

function checkOrder(messages: readonly JsonObject[]): ApiError | undefined {
  const last = messages.at(-1);
  if (last?.role === 'assistant' && last.prefix !== true)
    return order('Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant');
  return mistralOrder(messages);
}
