import {
  jsonReply,
  streamReply,
  contentHash,
  isObject,
  jsonOf,
  type JsonObject,
  composeChoice,
  paceOf,
  type FamilySettings,
  createReplyCache,
  type ArrivedRequest,
  type VendorRoute,
  type RouteAnswer,
} from '@tallyport/sandbox';
import { countMessageTokens } from './count-tokens.ts';
import { anthropicDialect } from './dialect.ts';
import { anthropicErrorReply, anthropicInvalid, type AnthropicError } from './errors.ts';
import { refuseHeaders } from './refuse-headers.ts';
import { messageOf, type AnthropicAnswer } from './message.ts';
import { readAnthropicQuestion } from './question.ts';
import { type AnthropicCache, createAnthropicCache, hasCacheMarks } from './prompt-cache.ts';
import { anthropicStream } from './stream.ts';
import { type AnthropicHeaders, findAnthropicFault } from './strictness.ts';
import { anthropicUse } from './usage.ts';

/** The Messages API, as on api.anthropic.com. */
export function anthropicRoutes(settings: FamilySettings): VendorRoute[] {
  const cache = createReplyCache();
  const prompts = createAnthropicCache(settings.now);
  const turn = (key: string): Turn => ({ settings, prompts, key });
  const answer = (request: ArrivedRequest): RouteAnswer => {
    const refusal = refuseHeaders(request.headers, settings.apiKeys);
    if (refusal) return { answer: anthropicErrorReply(refusal) };
    const { version, betas } = headersOf(request.headers);
    const key = contentHash(`${version} ${betas.join()} ${contentHash(request.body)}`);
    if (hasCacheMarks(request)) return answerMessage(request, turn(key));
    return cache.get(key) ?? cache.keep(key, answerMessage(request, turn(key)));
  };
  return [
    {
      method: 'GET',
      path: /^\/anthropic\/v1\/models$/,
      provider: 'anthropic',
      faulty: false,
      dialect: anthropicDialect,
      answer: ({ headers }) => listModels(refuseHeaders(headers, settings.apiKeys)),
    },
    {
      method: 'POST',
      path: /^\/anthropic\/v1\/messages$/,
      provider: 'anthropic',
      faulty: true,
      dialect: anthropicDialect,
      answer,
    },
    {
      method: 'POST',
      path: /^\/anthropic\/v1\/messages\/count_tokens$/,
      provider: 'anthropic',
      faulty: true,
      dialect: anthropicDialect,
      answer: (request) => answerCount(request, settings.apiKeys),
    },
  ];
}

function answerCount({ headers, body: bytes }: ArrivedRequest, apiKeys: readonly string[]): RouteAnswer {
  const refusal = refuseHeaders(headers, apiKeys);
  if (refusal) return { answer: anthropicErrorReply(refusal) };
  const body = jsonOf(bytes.toString());
  if (!isObject(body)) return { answer: anthropicErrorReply(anthropicInvalid('The request body is not valid JSON')) };
  const model = typeof body.model === 'string' ? { model: body.model } : {};
  return { ...model, answer: countMessageTokens(body, headersOf(headers)) };
}

const listModels = (refusal: AnthropicError | undefined): RouteAnswer => ({
  answer: refusal ? anthropicErrorReply(refusal) : jsonReply(200, { data: [], has_more: false }),
});

const headersOf = (headers: ArrivedRequest['headers']): AnthropicHeaders => ({
  version: String(headers['anthropic-version']),
  betas: String(headers['anthropic-beta'] ?? '').split(/\s*,\s*/),
});

interface Turn {
  settings: FamilySettings;
  prompts: AnthropicCache;
  key: string;
}

function answerMessage(request: ArrivedRequest, turn: Turn): RouteAnswer {
  const body = jsonOf(request.body.toString());
  if (!isObject(body)) return { answer: anthropicErrorReply(anthropicInvalid('The request body is not valid JSON')) };
  const fault = findAnthropicFault(body, headersOf(request.headers));
  const model = typeof body.model === 'string' ? { model: body.model } : {};
  return { ...model, ...(fault ? { answer: anthropicErrorReply(fault) } : write(body, turn)) };
}

function write(body: JsonObject, { settings, prompts, key }: Turn): Pick<RouteAnswer, 'answer' | 'metered'> {
  const question = readAnthropicQuestion(body);
  const choice = composeChoice(question, { provider: 'anthropic', seed: settings.seed });
  const script: AnthropicAnswer = {
    id: `msg_sim${contentHash(`${settings.seed}/${key}`).slice(0, 20)}`,
    model: question.model,
    choice,
    use: anthropicUse({ body, question, choice, cache: prompts.use(body, question.model) }),
  };
  const reply = question.stream
    ? streamReply(anthropicStream(script), paceOf(question.model, settings.chunksPerSecond))
    : jsonReply(200, messageOf(script));
  const headers = { ...reply.headers, ...vendorHeaders, 'request-id': `req_${script.id.slice(4)}` };
  return { metered: script.use.metered, answer: { ...reply, headers } };
}

const vendorHeaders = {
  'anthropic-organization-id': 'simulated',
  'anthropic-ratelimit-requests-limit': '4000',
  'anthropic-ratelimit-requests-remaining': '3999',
  'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:00Z',
};
