import { jsonReply, type ProviderAnswer, type Reply } from '../answer.ts';
import type { FamilySettings } from '../model/settings.ts';
import type { ArrivedRequest, VendorRoute, RouteAnswer } from '../route.ts';
import { refuseOpenAiKey } from './authorization.ts';
import { createChat } from './chat.ts';
import { createDecisions } from './decisions.ts';
import { openAiDialect } from './dialect.ts';
import { createEmbeddings } from './embeddings.ts';
import { openAiErrorReply, openAiUnknownModel } from './errors.ts';
import { createImages } from './images/images.ts';
import { createModerations } from './moderations.ts';
import type { OpenAiProvider } from './provider.ts';
import { createRerank } from './rerank.ts';
import { createSpeech } from './speech.ts';
import { createTranscriptions } from './transcriptions.ts';

/** Every operation of one provider of OpenAI's format. */
export function openAiRoutes(provider: OpenAiProvider, settings: FamilySettings): VendorRoute[] {
  const routeOf = (method: VendorRoute['method'], path: string, answer: VendorRoute['answer']): VendorRoute => ({
    method,
    path: new RegExp(`^${provider.basePath}${path}$`),
    provider: provider.id,
    faulty: method === 'POST',
    dialect: openAiDialect,
    answer: guarded(answer, settings),
  });
  return [
    routeOf('POST', '/chat/completions', createChat(provider, settings)),
    routeOf('POST', '/embeddings', createEmbeddings(provider)),
    routeOf('POST', '/moderations', createModerations(provider)),
    routeOf('POST', '/decisions', createDecisions(provider)),
    routeOf('POST', '/rerank', createRerank(provider)),
    routeOf('POST', '/audio/speech', createSpeech(provider)),
    routeOf('POST', '/audio/(?:transcriptions|translations)', createTranscriptions(provider)),
    routeOf('POST', '/images/(?:generations|edits)', createImages(provider, settings)),
    routeOf('GET', '/models', () => ({ answer: listModels(provider) })),
    routeOf('GET', '/models/[^/]+', ({ path }) => ({ answer: showModel(path, provider) })),
  ];
}

const guarded =
  (answer: VendorRoute['answer'], { apiKeys }: FamilySettings) =>
  (request: ArrivedRequest): RouteAnswer => {
    const refusal = refuseOpenAiKey(request.headers, apiKeys);
    const result = refusal ? { answer: openAiErrorReply(refusal) } : answer(request);
    return { ...result, answer: withVendorHeaders(result.answer) };
  };

const vendorHeaders = {
  'openai-organization': 'simulated',
  'openai-processing-ms': '1',
  'openai-version': '2020-10-01',
  'x-ratelimit-limit-requests': '10000',
  'x-ratelimit-limit-tokens': '2000000',
  'x-ratelimit-remaining-requests': '9999',
  'x-ratelimit-remaining-tokens': '1999000',
  'x-ratelimit-reset-requests': '6ms',
  'x-ratelimit-reset-tokens': '30ms',
};

const withVendorHeaders = (answer: ProviderAnswer): ProviderAnswer =>
  answer.kind === 'reply' ? { ...answer, headers: { ...vendorHeaders, ...answer.headers } } : answer;

/** 1 January 2026. */
const modelsCreated = 1_767_225_600;

const modelsOf = ({ id, models }: OpenAiProvider) =>
  models.map((model) => ({ id: model, object: 'model', created: modelsCreated, owned_by: id }));

const listModels = (provider: OpenAiProvider): Reply => jsonReply(200, { object: 'list', data: modelsOf(provider) });

function showModel(path: string, provider: OpenAiProvider): Reply {
  const id = path.slice(path.lastIndexOf('/') + 1);
  const found = modelsOf(provider).find((model) => model.id === id);
  return found ? jsonReply(200, found) : openAiErrorReply(openAiUnknownModel(id));
}
