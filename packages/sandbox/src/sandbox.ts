import { refuseUnanswerableChat, refuseUnanswerableImages } from './openai/checks.ts';
import type { JsonObject } from './json.ts';
import { type ApiError, openAiUnknownModel } from './openai/errors.ts';
import type { OpenAiProvider } from './openai/provider.ts';
import { openAiRoutes } from './openai/routes.ts';
import {
  decisionModel,
  embeddingModel,
  imageModel,
  moderationModel,
  rerankModel,
  type SandboxProvider,
  sandboxBasePath,
  sandboxProviders,
  speechModel,
  transcriptionModel,
} from './providers.ts';
import { type Family, type SimulationOptions, type Simulator, startSimulation } from './simulation.ts';

/** The sandbox providers. They use OpenAI's format and refuse only requests that cannot be answered. */
export const sandboxFamilies: readonly Family[] = sandboxProviders.map(
  (provider) => (settings) => openAiRoutes(openAiProviderOf(provider), settings),
);

/** Starts the sandbox providers on one port. Rejects if the port is not available. */
export const startSandbox = (options: SimulationOptions = {}): Promise<Simulator> =>
  startSimulation({ families: sandboxFamilies, basePathOf: (id = 'sandbox-a') => sandboxBasePath(id) }, options);

const openAiProviderOf = ({ id, models }: SandboxProvider): OpenAiProvider => ({
  id,
  basePath: sandboxBasePath(id),
  models: [
    ...models,
    imageModel,
    decisionModel,
    embeddingModel,
    moderationModel,
    rerankModel,
    speechModel,
    transcriptionModel,
  ],
  refuseChat: (body) => refuseUnanswerableChat(body) ?? refuseModel(body, models),
  refuseEmbeddings: (body) => refuseModel(body, [embeddingModel]),
  refuseModerations: (body) => refuseModel(body, [moderationModel]),
  refuseDecisions: (body) => refuseModel(body, [decisionModel]),
  refuseRerank: (body) => refuseModel(body, [rerankModel]),
  refuseSpeech: (body) => refuseModel(body, [speechModel]),
  refuseTranscription: ({ fields }) => refuseModel(fields, [transcriptionModel]),
  refuseImages: (body, operation) => refuseModel(body, [imageModel]) ?? refuseUnanswerableImages(body, operation),
});

const refuseModel = ({ model }: JsonObject, known: readonly string[]): ApiError | undefined =>
  known.includes(String(model)) ? undefined : openAiUnknownModel(String(model));
