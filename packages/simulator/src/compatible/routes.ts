import {
  bearerOf,
  isAcceptedKey,
  jsonReply,
  piece,
  streamReply,
  type Reply,
  contentHash,
  isObject,
  objectsOf,
  jsonOf,
  type JsonObject,
  composeChoices,
  metered,
  type Metered,
  unknownUsage,
  paceOf,
  type ChatQuestion,
  type FamilySettings,
  spentTokens,
  type ApiError,
  readOpenAiQuestion,
  createReplyCache,
  type ArrivedRequest,
  type VendorRoute,
  type RouteAnswer,
} from '@tallyport/sandbox';
import { type AnthropicCache, createAnthropicCache, hasCacheMarks, withCacheUse } from '../anthropic/prompt-cache.ts';
import { basePathOf } from '../bases.ts';
import { findOpenAiFault } from '../openai/strictness.ts';
import { dialectOf, refusalOf, wordedFor } from './dialect.ts';
import { compatibleEmbeddings } from './embeddings.ts';
import { mistralModerations } from './mistral-moderations.ts';
import { notJson } from '../refusals.ts';
import { compatibleSpeech } from './speech.ts';
import { compatibleTranscriptions } from './transcriptions.ts';
import { spellingOf } from './spelling.ts';
import type { CompatibleVendor } from './vendor.ts';
import { vendors } from './vendors.ts';
import { mistralVendor } from './vendors/mistral.ts';
import { compatibleEvents, wholeOf, type CompatibleAnswer } from './write.ts';

/** Chat completions of every vendor of OpenAI's format, the embeddings, moderations and audio of some, and their model lists. */
export const compatibleRoutes = (settings: FamilySettings): VendorRoute[] => [
  ...vendors.flatMap((vendor) => [routeOf(vendor, settings), ...modelListRoutes(vendor, settings)]),
  ...compatibleEmbeddings(lookups(settings)),
  ...compatibleSpeech(lookups(settings)),
  ...compatibleTranscriptions(lookups(settings)),
  mistralModerations((request) => knowsKey(request, mistralVendor, settings.apiKeys), settings),
];

const lookups = ({ apiKeys }: FamilySettings) => ({
  vendorOf,
  knowsKey: (request: ArrivedRequest, vendor: CompatibleVendor) => knowsKey(request, vendor, apiKeys),
});

function vendorOf(id: string): CompatibleVendor {
  const vendor = vendors.find((each) => each.id === id);
  if (vendor !== undefined) return vendor;
  throw new Error(`There is no vendor '${id}' in compatible/vendors.ts.`);
}

/** What a key can read: the models, or what else the vendor has for it. */
export function modelListRoutes(vendor: CompatibleVendor, { apiKeys }: FamilySettings): VendorRoute[] {
  const list = jsonReply(200, { object: 'list', data: vendor.lists ?? [{ id: 'simulated', object: 'model' }] });
  const path = new RegExp(`^${basePathOf(vendor.id)}${vendor.keyPath ?? '/models'}$`);
  const answer = (request: ArrivedRequest): RouteAnswer => ({
    answer: knowsKey(request, vendor, apiKeys) ? list : refusalOf(vendor, wordedFor(vendor, 401)),
  });
  return [{ method: 'GET', path, provider: vendor.id, faulty: false, dialect: dialectOf(vendor), answer }];
}

function routeOf(vendor: CompatibleVendor, settings: FamilySettings): VendorRoute {
  const cache = createReplyCache();
  const prompts = createAnthropicCache(settings.now);
  return {
    method: 'POST',
    path: vendor.path ?? new RegExp(`^${basePathOf(vendor.id)}/chat/completions$`),
    provider: vendor.id,
    faulty: true,
    dialect: dialectOf(vendor),
    answer: (request) => {
      if (!knowsKey(request, vendor, settings.apiKeys)) return { answer: refusalOf(vendor, wordedFor(vendor, 401)) };
      const key = contentHash(`${request.path}?${request.query}\n${contentHash(request.body)}`);
      const answer = () => answerChat({ request, vendor, settings, prompts, key });
      if (vendor.cachesMarks !== undefined && hasCacheMarks(request)) return answer();
      return cache.get(key) ?? cache.keep(key, answer());
    },
  };
}

function knowsKey({ headers }: ArrivedRequest, { credential }: CompatibleVendor, apiKeys: readonly string[]): boolean {
  if (credential === 'none') return true;
  const key = credential === 'api-key' ? headers['api-key'] : undefined;
  return isAcceptedKey(key ?? bearerOf(headers), apiKeys);
}

interface ChatTurn {
  request: ArrivedRequest;
  vendor: CompatibleVendor;
  settings: FamilySettings;
  prompts: AnthropicCache;
  key: string;
}

function answerChat(turn: ChatTurn): RouteAnswer {
  const { request, vendor } = turn;
  const parsed = jsonOf(request.body.toString());
  if (!isObject(parsed)) return { answer: refusalOf(vendor, notJson) };
  const deployment = vendor.modelOf?.(request);
  const body = deployment === undefined ? parsed : { ...parsed, model: deployment };
  const error = findRefusal(body, turn);
  const model = typeof body.model === 'string' ? { model: body.model } : {};
  if (error) return { ...model, answer: refusalOf(vendor, error) };
  const script = scriptOf(body, turn);
  const images = script.choices.filter((choice) => choice.images.length > 0).length;
  return { ...model, ...(images > 0 && { images }), metered: script.metered, answer: write(script, turn) };
}

/** The vendor's own rules first, because they cover members that OpenAI's do not. */
function findRefusal(body: JsonObject, { vendor, request }: ChatTurn): ApiError | undefined {
  if (/unknown/.test(String(body.model))) return wordedFor(vendor, 404);
  return (
    vendor.refuse?.(body, request) ?? findOpenAiFault(checkable(body, vendor), { refusesUnknownParameters: false })
  );
}

/** The body without members that OpenAI's checks do not cover. */
function checkable(body: JsonObject, { ownMembers = [], ownParts = [] }: CompatibleVendor): JsonObject {
  const kept = Object.entries(body).filter(([name]) => !ownMembers.includes(name));
  return {
    ...Object.fromEntries(kept),
    ...(Array.isArray(body.messages) && {
      messages: body.messages.map((message) => withoutParts(message, ['thinking', ...ownParts])),
    }),
  };
}

/** Removes parts that OpenAI's checks would refuse. */
function withoutParts(message: unknown, kinds: readonly string[]): unknown {
  if (!isObject(message) || !Array.isArray(message.content)) return message;
  const parts = objectsOf(message.content).filter(({ type }) => !kinds.includes(String(type)));
  return { ...message, content: parts.length > 0 ? parts : '' };
}

/** Of these vendors, only those that cache what is marked charge extra for writing to their caches. */
function meteredOf(
  { spent, spelling, question }: Pick<CompatibleAnswer, 'spent' | 'spelling' | 'question'>,
  { cachesMarks }: CompatibleVendor,
): Metered {
  const isMarked = cachesMarks?.test(question.model) === true;
  const read = isMarked ? spent : { ...spent, fresh: spent.fresh + spent.cacheWrite, cacheWrite: 0 };
  return metered(read, { tier: spelling.tier, more: unknownUsage(question.lastText).counts });
}

function scriptOf(body: JsonObject, { vendor, settings, prompts, key }: ChatTurn): CompatibleAnswer {
  const question: ChatQuestion = { ...readOpenAiQuestion(body), ...reasoningOf(body, vendor) };
  const image = vendor.imageChoice?.({ body, question });
  const marked = vendor.cachesMarks?.test(question.model) ? prompts.use(body, question.model) : undefined;
  const choices = image ? [image] : composeChoices(question, { provider: vendor.id, seed: settings.seed });
  const counted = spentTokens(question, choices);
  const spent = marked ? withCacheUse(counted, marked) : counted;
  const spelling = spellingOf(vendor, { body, question });
  return {
    id: `chatcmpl-sim${contentHash(`${settings.seed}/${key}`).slice(0, 24)}`,
    created: settings.now(),
    question,
    choices,
    spent,
    spelling,
    metered: meteredOf({ spent, spelling, question }, vendor),
    vendor: vendor.id,
  };
}

function write(script: CompatibleAnswer, { settings }: ChatTurn): Reply {
  const { question } = script;
  if (question.stream) return streamReply(compatibleEvents(script), paceOf(question.model, settings.chunksPerSecond));
  return { ...jsonReply(200, null), pieces: [piece('body', wholeOf(script))] };
}

/** Vendors have many members for thinking; models with a matching name always think. */
function reasoningOf(body: JsonObject, { thinksByDefault }: CompatibleVendor): Partial<ChatQuestion> {
  const { thinking, reasoning, enable_thinking: enabled, reasoning_effort: effort, model } = body;
  if (enabled === false || effort === 'none' || (isObject(thinking) && thinking.type === 'disabled'))
    return { reasoning: 'off' };
  const asked = thinking ?? reasoning ?? effort ?? (enabled === true || undefined);
  const thinkers = [/reason|think|-r1/i, ...(thinksByDefault ? [thinksByDefault] : [])];
  return asked !== undefined || thinkers.some((each) => each.test(String(model))) ? { reasoning: 'asked' } : {};
}
