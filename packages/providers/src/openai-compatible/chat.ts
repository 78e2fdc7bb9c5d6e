import { openAiEmbeddings, type OpenAiEmbeddingsOptions } from './embeddings.ts';
import { openAiRealtime } from './realtime.ts';
import { openAiModerations, type OpenAiModerationsOptions } from './moderations.ts';
import type { CallFormats } from '../spec/call-formats.ts';
import type { Auth, ChatProvider, ImageLimits } from '../spec/provider.ts';
import { openAiSpeech, type OpenAiSpeechOptions } from './speech.ts';
import { openAiTranscriptions, type OpenAiTranscriptionsOptions } from './transcriptions.ts';
import { chatCounting, responsesCounting } from './responses/counting.ts';
import { type ChatsAsResponses, quirksOfOthers, withEitherApi } from './responses/either-api.ts';
import { nativeCompact } from './responses/compact.ts';
import { nativeResponses } from './responses/native.ts';
import { openAiError } from './error.ts';
import { functionsAsTools } from './functions-as-tools.ts';
import { namedMembers } from './named-members.ts';
import type { Quirks } from './quirks.ts';
import { openAiRequest, firstUnsupported } from './request.ts';
import { createRulesOf } from './request-rules.ts';
import { openAiCompletion } from './response.ts';
import { createOpenAiStream } from './stream.ts';
import { openAiDecisions } from './decisions.ts';
import { systemOne } from './system-one.ts';
import { rerankFormat, type RerankOptions } from './rerank.ts';
import { usualNames } from '../tool-names/tool-names.ts';
import { withAcceptedNames } from '../tool-names/with-accepted-names.ts';
import { thinkingRules } from './thinking-memory.ts';
import type { OpenAiVendor } from './vendor.ts';

export interface OpenAiCompatibleOptions {
  id: string;
  baseUrl: string;
  keyVariable: string;
  sdkAddsVersion?: true;
  /** Defaults to bearer. */
  auth?: Auth;
  /** The path that tests a key, `none` if there is none. Defaults to `/models`. */
  keyCheckPath?: string;
  /** `none`: the vendor serves only calls, such as embeddings. */
  chats?: 'none';
  /** Follows the base URL. Defaults to `/chat/completions`. */
  path?: string;
  /** Defaults to `url`. */
  images?: 'url' | 'inline';
  imageLimits?: Partial<ImageLimits>;
  /** Defaults to the maximum of the format. */
  maxChoices?: number;
  /** Members of a request beyond OpenAI's that the vendor documents, without those that its quirks name. */
  members?: readonly string[];
  /** Absent if the vendor has no embeddings. */
  embeddings?: OpenAiEmbeddingsOptions;
  /** Absent if the vendor has no speech. */
  speech?: OpenAiSpeechOptions;
  /** Absent if the vendor has no transcriptions. */
  transcriptions?: OpenAiTranscriptionsOptions;
  /** Absent if the vendor has no moderations. */
  moderations?: OpenAiModerationsOptions;
  /** Absent if the vendor decides nothing. `path` defaults to `/decisions` or `/systemone`. */
  decisions?: { format: 'openai' | 'systemone'; path?: string };
  /** Absent if the vendor ranks no documents. */
  rerank?: RerankOptions;
  /** The vendor has realtime sessions. */
  realtime?: true;
  /** Absent if the vendor takes no batches. */
  batches?: ChatProvider['batches'];
  /**
   * Absent if the vendor lacks the Responses API. `whole`: it also compacts conversations and counts their tokens. `chats`:
   * those that are asked for there.
   */
  responses?: { whole?: true; chats?: ChatsAsResponses };
  /** Absent if the vendor caches prompts without marks, or not at all. */
  cacheMarking?: ChatProvider['cacheMarking'];
  quirks?: Quirks;
}

const usualImageLimits: ImageLimits = {
  count: 500,
  bytes: 20 * 1024 * 1024,
  totalBytes: 50 * 1024 * 1024,
  mediaTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
};

/** What only some vendors have besides chats. */
const callFormats = (
  vendor: OpenAiVendor,
  { embeddings, speech, transcriptions, moderations, decisions, rerank, realtime }: OpenAiCompatibleOptions,
): CallFormats => ({
  ...(embeddings && { embeddings: openAiEmbeddings(vendor, embeddings) }),
  ...(speech && { speech: openAiSpeech(vendor, speech) }),
  ...(transcriptions && { transcriptions: openAiTranscriptions(vendor, transcriptions) }),
  ...(moderations && { moderations: openAiModerations(vendor, moderations) }),
  ...(decisions && { decisions: decisionFormats[decisions.format](vendor, decisions.path) }),
  ...(rerank && { rankings: rerankFormat(vendor, rerank) }),
  ...(realtime && { realtime: openAiRealtime }),
});

/** What only some vendors have for chats: other APIs, batches, counting, and marks for prompt caches. */
const optionalParts = (
  vendor: OpenAiVendor,
  { responses, batches, cacheMarking }: OpenAiCompatibleOptions,
): Pick<ChatProvider, 'batches' | 'counting' | 'native' | 'cacheMarking'> => ({
  ...(batches && { batches }),
  ...(cacheMarking && { cacheMarking }),
  ...(responses?.whole && { counting: chatCounting }),
  ...(responses && {
    native: {
      'openai-responses': { ...nativeResponses(vendor), ...(responses.whole && { counting: responsesCounting }) },
      ...(responses.whole && { 'openai-compact': nativeCompact(vendor) }),
    },
  }),
});

const decisionFormats = { openai: openAiDecisions, systemone: systemOne };

/** A provider for a vendor of OpenAI's chat format. */
export function openAiCompatible(options: OpenAiCompatibleOptions): ChatProvider {
  const { id, baseUrl, keyVariable, auth = { kind: 'bearer' }, path = '/chat/completions', quirks = {} } = options;
  const { keyCheckPath = '/models', responses } = options;
  const vendor = { id, quirks };
  const rulesOf = createRulesOf(quirksOfOthers(quirks, responses));
  const provider: ChatProvider = {
    id,
    dialect: 'openai',
    members: [...(options.members ?? []), ...namedMembers(quirks)],
    baseUrl,
    keyVariable,
    ...(options.sdkAddsVersion && { sdkAddsVersion: options.sdkAddsVersion }),
    auth,
    ...(keyCheckPath !== 'none' && { keyCheck: { kind: 'request', path: keyCheckPath } }),
    framing: 'sse',
    // Finding tags inside the text requires state from earlier chunks.
    textDeltasAreIndependent: quirks.thinking !== 'tags',
    images: options.images ?? 'url',
    imageLimits: { ...usualImageLimits, ...options.imageLimits },
    maxChoices: options.maxChoices ?? 128,
    ...(quirks.thinkingWithCalls && { callSignatures: thinkingRules(quirks.thinkingWithCalls) }),
    ...callFormats(vendor, options),
    ...optionalParts(vendor, options),
    unsupported: (call, offer) => firstUnsupported(quirks, call, rulesOf(call, offer)),
    request: (call, offer) => openAiRequest({ call, offer, path, vendor, rulesOf }),
    response: (body, context) => openAiCompletion(body, { ...context, vendor }),
    stream: (context) => createOpenAiStream({ ...context, vendor }),
    error: (status, headers, body) => openAiError({ status, headers, body, vendor }),
  };
  return options.chats === 'none' ? withoutChats(provider) : withApis(provider, vendor, responses);
}

function withApis(
  provider: ChatProvider,
  vendor: OpenAiVendor,
  responses: OpenAiCompatibleOptions['responses'],
): ChatProvider {
  const chats = withNames(provider, vendor.quirks);
  return responses?.chats === undefined ? chats : withEitherApi(chats, vendor, responses.chats.asks);
}

function withNames(provider: ChatProvider, { functions }: Quirks): ChatProvider {
  const named = withAcceptedNames(provider, usualNames);
  return functions === 'as tools' ? functionsAsTools(named) : named;
}

/** Every chat is refused before it is sent. */
const withoutChats = (provider: ChatProvider): ChatProvider => ({
  ...provider,
  hasChats: false,
  unsupported: () => 'messages',
});
