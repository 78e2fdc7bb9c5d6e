import { z } from 'zod';
import { firstIssue } from '../first-issue.ts';
import { chatMessageSchema } from './message.ts';
import { providerPreferences } from './provider-preferences.ts';
import { type RequestProblem, problemOf } from './problem.ts';

/** An object whose members are not checked. */
const anyObject = z.custom<Record<string, unknown>>(isObject, 'must be an object');
const namedFunction = z.looseObject({ name: z.string().min(1) });

const tool = z.discriminatedUnion(
  'type',
  [
    z.looseObject({
      type: z.literal('function'),
      function: z.looseObject({
        name: z.string().min(1),
        description: z.string().nullish(),
        parameters: anyObject.nullish(),
        strict: z.boolean().nullish(),
      }),
    }),
    z.looseObject({ type: z.literal('custom'), custom: namedFunction }),
  ],
  { error: 'must be one of function, custom' },
);

const toolChoice = z.union(
  [
    // The last one is Gemini's, which agents send to its models.
    z.enum(['none', 'auto', 'required', 'validated']),
    z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('function'), function: namedFunction }),
      z.looseObject({ type: z.literal('custom'), custom: namedFunction }),
      z.looseObject({
        type: z.literal('allowed_tools'),
        allowed_tools: z.looseObject({ mode: z.enum(['auto', 'required']), tools: z.array(anyObject) }),
      }),
    ]),
  ],
  { error: 'must be none, auto, required, or an object naming a tool' },
);

const responseFormat = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('text') }),
    z.looseObject({ type: z.literal('json_object') }),
    z.looseObject({
      type: z.literal('json_schema'),
      json_schema: z.looseObject({
        name: z.string(),
        description: z.string().nullish(),
        schema: anyObject.nullish(),
        strict: z.boolean().nullish(),
      }),
    }),
  ],
  { error: 'must be one of text, json_object, json_schema' },
);

const reasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
const count = z.int().min(1);

/** How many models a request may name. */
export const mostModelsAsked = 5;

export const modelList = z.array(z.string().min(1)).min(1).max(mostModelsAsked);

/** A chat request as clients send it: all members of OpenAI's API, our own, and any others. */
export const chatRequestSchema = z.looseObject({
  model: z.string().min(1),
  /** Ours: the models that may answer, the preferred one first. */
  models: modelList.nullish(),
  /** Ours: what the offer that serves it must be like. */
  provider: providerPreferences.nullish(),
  messages: z.array(chatMessageSchema).min(1, 'must hold at least one message'),
  audio: z.looseObject({ format: z.string() }).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  function_call: z.union([z.string(), namedFunction]).nullish(),
  functions: z.array(namedFunction).nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  max_completion_tokens: count.nullish(),
  max_tokens: count.nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  modalities: z.array(z.string()).nullish(),
  moderation: anyObject.nullish(),
  n: count.max(128).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  prediction: z.looseObject({ type: z.string() }).nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_options: anyObject.nullish(),
  prompt_cache_retention: z.string().nullish(),
  reasoning_effort: reasoningEffort.nullish(),
  response_format: responseFormat.nullish(),
  safety_identifier: z.string().nullish(),
  seed: z.int().nullish(),
  service_tier: z.string().nullish(),
  stop: z.union([z.string(), z.array(z.string())], { error: 'must be a string or an array of strings' }).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .looseObject({ include_usage: z.boolean().nullish(), include_obfuscation: z.boolean().nullish() })
    .nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  tool_choice: toolChoice.nullish(),
  tools: z.array(tool).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  user: z.string().nullish(),
  verbosity: z.string().nullish(),
  web_search_options: anyObject.nullish(),
  /** Ours: settings of generated images; each model family has its own members. */
  image_config: anyObject.nullish(),
  /** Ours: how much to think, when `reasoning_effort` is not fine-grained enough. */
  reasoning: z
    .looseObject({
      effort: reasoningEffort.nullish(),
      max_tokens: count.nullish(),
      /** Whether to think at all, when no effort is given. */
      enabled: z.boolean().nullish(),
      /** If true, think but do not return the thinking. */
      exclude: z.boolean().nullish(),
    })
    .nullish(),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;

type ParsedChatRequest = { ok: true; request: ChatRequest } | { ok: false; problem: RequestProblem };

/**
 * Validates a parsed JSON body. The returned request is the given value itself, with its members in order, so that an
 * upstream with the same dialect gets what the client sent, except for intended changes.
 */
export function parseChatRequest(value: unknown): ParsedChatRequest {
  const problems: RequestProblem[] = [];
  if (hasValidMembers(value) || isChatRequest(value, problems)) return { ok: true, request: value };
  return { ok: false, problem: problems[0] ?? { param: null, message: 'The request is not valid.' } };
}

/** The members that the schema knows. */
export const chatRequestMembers: ReadonlySet<string> = new Set(Object.keys(chatRequestSchema.shape));

const memberSchemas = new Map<string, z.ZodType>(Object.entries(chatRequestSchema.shape));

/** Checks only the members that are present. The whole schema also runs that of each absent member, about forty. */
function hasValidMembers(value: unknown): value is ChatRequest {
  if (!isObject(value) || !('model' in value) || !('messages' in value)) return false;
  return Object.keys(value).every((name) => isValidMember(name, value[name]));
}

const isValidMember = (name: string, member: unknown): boolean =>
  (name === 'messages' && areTexts(member)) || (memberSchemas.get(name)?.safeParse(member).success ?? true);

/** Whether these are valid messages of nothing but text, as most are. The schema copies each of them to check it. */
const areTexts = (messages: unknown): boolean =>
  Array.isArray(messages) && messages.length > 0 && messages.every(isTextMessage);

const textRoles: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant']);

const isTextMessage = (message: unknown): boolean =>
  isObject(message) &&
  textRoles.has(message['role']) &&
  typeof message['content'] === 'string' &&
  hasTwoMembers(message);

function hasTwoMembers(value: object): boolean {
  let count = 0;
  for (const _name in value) count += 1;
  return count === 2;
}

/** The schema transforms nothing, so the value itself has the validated type. */
function isChatRequest(value: unknown, problems: RequestProblem[]): value is ChatRequest {
  const result = chatRequestSchema.safeParse(value, firstIssue);
  if (!result.success) problems.push(problemOf(result.error));
  return result.success;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
