import { jsonReply, type FamilySettings, type ArrivedRequest, type VendorRoute } from '@tallyport/sandbox';
import { anthropicDialect } from '../anthropic/dialect.ts';
import { countGoogleTokens } from './count-tokens.ts';
import { arrayDialect, eventDialect } from './dialect.ts';
import { answerBatchEmbed } from './embeddings.ts';
import { googleErrorReply, unauthenticated, type GoogleError } from './errors.ts';
import { createGenerate, type GenerateForm } from './generate.ts';
import { interactionRoute } from './interactions/routes.ts';
import { refuseGoogleKey } from './refuse-key.ts';
import { createTokenDesk } from './token-desk.ts';
import { countVertexClaude, createVertexClaude } from './vertex-claude.ts';
import { answerPredict, answerVertexEmbed } from './vertex-embeddings.ts';

type Refuse = (request: ArrivedRequest) => GoogleError | undefined;

/** The Gemini API with its keys, and Vertex with tokens from its own token endpoint. */
export function googleRoutes(settings: FamilySettings): VendorRoute[] {
  const generate = createGenerate(settings);
  const desk = createTokenDesk(settings);
  const gemini = { provider: 'google', path: '/google/v1(?:beta)?/models/[^/:]+' };
  const publishers = '/vertex/v1(?:beta1)?/projects/[^/]+/locations/[^/]+/publishers';
  const vertex = { provider: 'google-vertex', path: `${publishers}/google/models/[^/:]+` };
  const claude = createVertexClaude(settings);
  const refuseKey: Refuse = (request) => refuseGoogleKey(request, settings.apiKeys);
  const refuseToken: Refuse = (request) => (desk.knows(request) ? undefined : unauthenticated);
  const both = (place: typeof gemini, refuse: Refuse): VendorRoute[] => [
    generateRoute(place, generate, refuse),
    streamRoute(place, generate, refuse),
  ];
  return [
    embedRoute(gemini, 'batchEmbedContents', { refuse: refuseKey, answer: answerBatchEmbed }),
    embedRoute(vertex, 'predict', { refuse: refuseToken, answer: answerPredict }),
    embedRoute(vertex, 'embedContent', { refuse: refuseToken, answer: answerVertexEmbed }),
    {
      method: 'GET',
      path: /^\/google\/v1beta\/models$/,
      provider: 'google',
      faulty: false,
      dialect: eventDialect,
      answer: (request) => guarded(request, refuseKey) ?? { answer: jsonReply(200, { models: [] }) },
    },
    interactionRoute(settings, refuseKey),
    countRoute(gemini, 'gemini', refuseKey),
    countRoute(vertex, 'vertex', refuseToken),
    ...both(gemini, refuseKey),
    ...both(vertex, refuseToken),
    {
      method: 'POST',
      path: new RegExp(`^${publishers}/anthropic/models/(?!count-tokens:)[^/:]+:(rawPredict|streamRawPredict)$`),
      provider: 'google-vertex',
      faulty: true,
      dialect: anthropicDialect,
      answer: (request) => guarded(request, refuseToken) ?? claude(request),
    },
    {
      method: 'POST',
      path: new RegExp(`^${publishers}/anthropic/models/count-tokens:rawPredict$`),
      provider: 'google-vertex',
      faulty: true,
      dialect: anthropicDialect,
      answer: (request) => guarded(request, refuseToken) ?? countVertexClaude(request),
    },
    desk.route,
  ];
}

type Generate = ReturnType<typeof createGenerate>;

const generateRoute = (place: { provider: string; path: string }, generate: Generate, refuse: Refuse): VendorRoute => ({
  method: 'POST',
  path: new RegExp(`^${place.path}:generateContent$`),
  provider: place.provider,
  faulty: true,
  dialect: eventDialect,
  answer: (request) => guarded(request, refuse) ?? generate(request, 'whole'),
});

const countRoute = (
  place: { provider: string; path: string },
  api: Parameters<typeof countGoogleTokens>[1],
  refuse: Refuse,
): VendorRoute => ({
  method: 'POST',
  path: new RegExp(`^${place.path}:countTokens$`),
  provider: place.provider,
  faulty: true,
  dialect: eventDialect,
  answer: (request) => guarded(request, refuse) ?? countGoogleTokens(request, api),
});

interface Embedding {
  refuse: Refuse;
  answer: VendorRoute['answer'];
}

const embedRoute = (
  place: { provider: string; path: string },
  method: string,
  { refuse, answer }: Embedding,
): VendorRoute => ({
  method: 'POST',
  path: new RegExp(`^${place.path}:${method}$`),
  provider: place.provider,
  faulty: true,
  dialect: eventDialect,
  answer: (request) => guarded(request, refuse) ?? answer(request),
});

const streamRoute = (place: { provider: string; path: string }, generate: Generate, refuse: Refuse): VendorRoute => ({
  method: 'POST',
  path: new RegExp(`^${place.path}:streamGenerateContent$`),
  provider: place.provider,
  faulty: true,
  dialect: eventDialect,
  answer: (request) => {
    const form = formOf(request);
    const dialect = form === 'array' ? { dialect: arrayDialect } : {};
    return { ...(guarded(request, refuse) ?? generate(request, form)), ...dialect };
  },
});

const formOf = ({ query }: ArrivedRequest): GenerateForm =>
  new URLSearchParams(query).get('alt') === 'sse' ? 'events' : 'array';

function guarded(request: ArrivedRequest, refuse: Refuse) {
  const error = refuse(request);
  return error && { answer: googleErrorReply(error) };
}
