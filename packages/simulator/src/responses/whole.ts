import {
  type ApiError,
  type ArrivedRequest,
  contentHash,
  type FamilySettings,
  invalidRequest,
  isAcceptedKey,
  bearerOf,
  isObject,
  type JsonObject,
  jsonOf,
  jsonReply,
  type Metered,
  objectsOf,
  openAiDialect,
  openAiErrorBody,
  openAiFailure,
  openAiTier,
  promptTokenCount,
  type VendorRoute,
  type RouteAnswer,
  spentTokens,
} from '@tallyport/sandbox';
import { compactionItem } from './output.ts';
import { readResponsesQuestion } from './question.ts';
import { findResponsesFault } from './strictness.ts';
import { unknownMember } from '../refusals.ts';
import { unknownParameter } from '../openai/value-checks.ts';

const refusal = (error: ApiError) => jsonReply(error.status, openAiErrorBody(error));

interface Operation {
  /** What a request may have beside the model. */
  members: readonly string[];
  answer(body: JsonObject, request: ArrivedRequest, settings: FamilySettings): Omit<RouteAnswer, 'model'>;
}

const prompt = ['input', 'instructions', 'previous_response_id'];

const operations: Readonly<Record<string, Operation>> = {
  input_tokens: {
    members: [
      ...prompt,
      'conversation',
      'parallel_tool_calls',
      'reasoning',
      'text',
      'tool_choice',
      'tools',
      'truncation',
    ],
    answer: (body) => ({
      answer: jsonReply(200, { object: 'response.input_tokens', input_tokens: promptTokensOf(body) }),
    }),
  },
  compact: {
    members: [...prompt, 'image', 'prompt_cache_key', 'prompt_cache_options', 'service_tier'],
    answer: compact,
  },
};

const promptTokensOf = (body: JsonObject): number => promptTokenCount(spentTokens(readResponsesQuestion(body), []));

/** Keeps what the user said, and seals the rest. */
function compact(body: JsonObject, { body: bytes }: ArrivedRequest, { seed, now }: FamilySettings) {
  const key = contentHash(`${seed}/${contentHash(bytes)}`);
  const input = promptTokensOf(body);
  const said = objectsOf(body.input).filter(({ role }) => role === 'user');
  const users = typeof body.input === 'string' ? [{ type: 'message', role: 'user', content: body.input }] : said;
  const answer = {
    id: `resp_${key.slice(0, 48)}`,
    object: 'response.compaction',
    created_at: now(),
    service_tier: openAiTier(body.service_tier, ''),
    output: [...users, compactionItem('openai', `cmp_${key.slice(0, 40)}`)],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 8,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + 8,
    },
  };
  const counts: Metered['counts'] = [
    { of: 'input', count: input },
    { of: 'output', count: 8 },
  ];
  return { metered: { tier: answer.service_tier, counts }, answer: jsonReply(200, answer) };
}

/** `POST /v1/responses/input_tokens` and `/v1/responses/compact` of OpenAI. */
export const wholeResponsesRoutes = (settings: FamilySettings): VendorRoute[] =>
  Object.entries(operations).map(([name, { members, answer }]) => ({
    method: 'POST',
    path: new RegExp(`^/v1/responses/${name}$`),
    provider: 'openai',
    faulty: true,
    dialect: openAiDialect,
    answer(request) {
      const body = jsonOf(request.body.toString());
      if (settings.apiKeys.length > 0 && !isAcceptedKey(bearerOf(request.headers), settings.apiKeys))
        return { answer: refusal(openAiFailure(401)) };
      if (!isObject(body)) return { answer: refusal(invalidRequest('We could not parse the JSON body.', null)) };
      const unknown = unknownMember(body, ['model', ...members]);
      const fault = unknown === undefined ? findResponsesFault(body, 'openai') : unknownParameter(unknown);
      const model = typeof body.model === 'string' ? { model: body.model } : {};
      return { ...model, ...(fault ? { answer: refusal(fault) } : answer(body, request, settings)) };
    },
  }));
