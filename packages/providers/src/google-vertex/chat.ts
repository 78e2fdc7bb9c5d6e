import type { Offer } from '@tallyport/contracts';
import { gemini } from '../google/gemini.ts';
import { openAiCompatible } from '../openai-compatible/chat.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { members } from '../read.ts';
import { keyFileVariables, vertexAddress, vertexSettings } from './address.ts';
import { claudeOn } from './claude.ts';
import { vertexEmbeddings } from './embeddings.ts';
import { vertexClaude } from './native-claude.ts';
import { vertexGemini } from './native-gemini.ts';

const id = 'google-vertex';
const baseUrl = 'https://aiplatform.googleapis.com/v1';
const keyVariable = 'GOOGLE_VERTEX';

const path = (modelName: string): string => `/publishers/google/models/${encodeURIComponent(modelName)}`;

/** Google's own models, with the same bodies as the Gemini API. */
const own = gemini({
  id,
  baseUrl,
  keyVariable,
  auth: {
    kind: 'google-service-account',
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    variables: keyFileVariables,
  },
  path,
});

/** Open models offered as a managed service. */
const open = openAiCompatible({
  id,
  baseUrl,
  keyVariable,
  path: '/endpoints/openapi/chat/completions',
  quirks: { thinkingWithCalls: { as: 'text' } },
});

const claude = claudeOn(id);

/** Models of other makers use their maker's format, recognized by name. All others are Google's. */
const makers: readonly { models: RegExp; provider: ChatProvider }[] = [
  { models: /^claude/, provider: claude },
  { models: /\//, provider: open },
];

const providerFor = ({ modelName }: Offer): ChatProvider =>
  makers.find(({ models }) => models.test(modelName))?.provider ?? own;

/** Google Cloud's Vertex AI. An error is read before the model is known, so its own format decides how. */
export const googleVertex: ChatProvider = {
  ...own,
  settings: vertexSettings,
  address: vertexAddress,
  embeddings: vertexEmbeddings(id, path),
  native: {
    'anthropic-messages': vertexClaude((offer) => providerFor(offer) === claude),
    gemini: vertexGemini({ path, serves: (offer) => providerFor(offer) === own }),
  },
  callSignatures: {
    missingIn: (request, offer) => providerFor(offer).callSignatures?.missingIn(request, offer) ?? [],
    fromThinking: (call, offer) => providerFor(offer).callSignatures?.fromThinking?.(call, offer) === true,
  },
  cacheMarking: (offer) => providerFor(offer).cacheMarking?.(offer),
  counting: {
    request: (counted, offer) => providerFor(offer).counting?.request(counted, offer),
    tokens: (answer) => own.counting?.tokens(answer) ?? claude.counting?.tokens(answer),
  },
  unsupported: (call, offer) => providerFor(offer).unsupported?.(call, offer),
  request: (call, offer) => providerFor(offer).request(call, offer),
  response: (body, context) => providerFor(context.offer).response(body, context),
  stream: (context) => providerFor(context.offer).stream(context),
  error: (status, headers, body) => (members(body).type === 'error' ? claude : own).error(status, headers, body),
};
