import { isObject, objectsOf, type JsonObject, splitCharacters, type ApiError } from '@switchyard/sandbox';
import { findFirst } from '../../finding.ts';
import { compatibleUsage } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';

/** Refuses whatever it does not know, wants ids of nine characters, and thinks in parts of the content. */
export const mistralVendor: CompatibleVendor = {
  id: 'mistral',
  ownMembers: ['tool_choice', 'reasoning_effort'],
  refuse: (body) =>
    forbidden(body, members, ['body']) ??
    findFirst(objectsOf(body.messages), (message, index) => checkMessage(message, index)) ??
    checkToolChoice(body.tool_choice) ??
    checkOrder(objectsOf(body.messages), String(body.model)),
  errorBody: ({ message, type, param, code, status }) => ({
    object: 'error',
    message: status === 422 ? { detail: [JSON.parse(message)] } : message,
    type,
    param,
    code,
  }),
  words: {
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
  const ids = [message.tool_call_id, ...objectsOf(message.tool_calls).map(({ id }) => id)];
  const wrong = ids.find((id) => id !== undefined && !/^[a-zA-Z0-9]{9}$/.test(String(id)));
  if (wrong !== undefined)
    return unprocessable({
      type: 'value_error',
      loc: ['body', 'messages', index],
      input: wrong,
      msg: `Tool call id was ${String(wrong)} but must be a-z, A-Z, 0-9, with a length of 9.`,
    });
  return forbidden(message, known, ['body', 'messages', index, String(message.role)]);
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

const order = (message: string): ApiError => ({
  status: 400,
  message,
  type: 'invalid_request_message_order',
  param: null,
  code: '3230',
});

function checkOrder(messages: readonly JsonObject[], model: string): ApiError | undefined {
  const last = messages.at(-1);
  if (last?.role === 'assistant' && last.prefix !== true)
    return order('Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant');
  if (!/^open-|-240\d|-231\d/.test(model)) return undefined;
  const behindTool = messages.some(
    (message, index) =>
      message.role === 'user' && isObject(messages[index - 1]) && messages[index - 1]?.role === 'tool',
  );
  return behindTool ? order("Unexpected role 'user' after role 'tool'") : undefined;
}
