import type { Offer } from '@switchyard/contracts';
import { gemini } from '../google/gemini.ts';
import { openAiCompatible } from '../openai-compatible/chat.ts';
import type { ChatProvider } from '../provider.ts';
import { members } from '../read.ts';
import { keyFileVariables, vertexAddress, vertexSettings } from './address.ts';
import { claudeOn } from './claude.ts';

const id = 'google-vertex';
const baseUrl = 'https://aiplatform.googleapis.com/v1';
const keyVariable = 'GOOGLE_VERTEX';

/** Google's own models: the same bodies as at its Gemini API. */
const own = gemini({
  id,
  baseUrl,
  keyVariable,
  auth: {
    kind: 'google-service-account',
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    variables: keyFileVariables,
  },
  path: (modelName) => `/publishers/google/models/${encodeURIComponent(modelName)}`,
});

/** Open models, served as a service. */
const open = openAiCompatible({ id, baseUrl, keyVariable, path: '/endpoints/openapi/chat/completions' });

const claude = claudeOn(id);

/** Each maker's models speak their own format here; Google's have no mark of their own. */
const speakers: readonly { models: RegExp; provider: ChatProvider }[] = [
  { models: /^claude/, provider: claude },
  { models: /\//, provider: open },
];

const speakerOf = ({ modelName }: Offer): ChatProvider =>
  speakers.find(({ models }) => models.test(modelName))?.provider ?? own;

/** Google's cloud. An error comes before it is known who spoke: the maker's own form gives it away. */
export const googleVertex: ChatProvider = {
  ...own,
  settings: vertexSettings,
  address: vertexAddress,
  unsupported: (call, offer) => speakerOf(offer).unsupported?.(call, offer),
  request: (call, offer) => speakerOf(offer).request(call, offer),
  response: (body, context) => speakerOf(context.offer).response(body, context),
  stream: (context) => speakerOf(context.offer).stream(context),
  error: (status, headers, body) => (members(body).type === 'error' ? claude : own).error(status, headers, body),
};
