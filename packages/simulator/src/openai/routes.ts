import { jsonReply, type Answer, type Reply } from '../answer.ts';
import type { FamilySettings } from '../model/settings.ts';
import type { ArrivedRequest, Route } from '../route.ts';
import { imageModel, plainProvider, sandboxProviders, sharedModel, type SimulatedProvider } from '../sandbox.ts';
import { refuseKey } from './authorization.ts';
import { openAiDialect } from './dialect.ts';
import { createChat } from './chat.ts';
import { errorReply, unknownModel } from './errors.ts';
import { createImages } from './images/images.ts';

const providers = new Map([plainProvider, ...sandboxProviders].map((provider) => [provider.id, provider]));

const prefix = `(?:/(?<provider>${sandboxProviders.map(({ id }) => id).join('|')}))?/v1`;

/** Chat completions, images and models, under the plain prefix and under each sandbox provider's. */
export function openAiRoutes(settings: FamilySettings): Route[] {
  const chat = createChat(settings);
  const images = createImages(settings);
  const guarded = (answer: (request: ArrivedRequest, provider: SimulatedProvider) => ReturnType<Route['answer']>) => {
    return (request: ArrivedRequest) => {
      const refusal = refuseKey(request.headers, settings.apiKeys);
      const result = refusal
        ? { answer: errorReply(refusal) }
        : answer(request, providers.get(request.provider) ?? plainProvider);
      return { ...result, answer: withVendorHeaders(result.answer) };
    };
  };
  return [
    {
      method: 'POST',
      path: new RegExp(`^${prefix}/chat/completions$`),
      provider: plainProvider.id,
      faulty: true,
      dialect: openAiDialect,
      answer: guarded(chat),
    },
    {
      method: 'POST',
      path: new RegExp(`^${prefix}/images/(?:generations|edits)$`),
      provider: plainProvider.id,
      faulty: true,
      dialect: openAiDialect,
      answer: guarded(images),
    },
    {
      method: 'GET',
      path: new RegExp(`^${prefix}/models$`),
      provider: plainProvider.id,
      faulty: false,
      dialect: openAiDialect,
      answer: guarded((_, provider) => ({ answer: listModels(provider) })),
    },
    {
      method: 'GET',
      path: new RegExp(`^${prefix}/models/[^/]+$`),
      provider: plainProvider.id,
      faulty: false,
      dialect: openAiDialect,
      answer: guarded((request, provider) => ({ answer: showModel(request.path, provider) })),
    },
  ];
}

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

const withVendorHeaders = (answer: Answer): Answer =>
  answer.kind === 'reply' ? { ...answer, headers: { ...vendorHeaders, ...answer.headers } } : answer;

/** 1 January 2026. */
const modelsCreated = 1_767_225_600;

const modelsOf = ({ id, models = [sharedModel] }: SimulatedProvider) =>
  [...models, imageModel].map((model) => ({ id: model, object: 'model', created: modelsCreated, owned_by: id }));

const listModels = (provider: SimulatedProvider): Reply => jsonReply(200, { object: 'list', data: modelsOf(provider) });

function showModel(path: string, provider: SimulatedProvider): Reply {
  const id = path.slice(path.lastIndexOf('/') + 1);
  const found = modelsOf(provider).find((model) => model.id === id);
  return found ? jsonReply(200, found) : errorReply(unknownModel(id));
}
