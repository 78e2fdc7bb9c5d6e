import { refuseUnanswerableChat, refuseUnanswerableImages } from './openai/checks.ts';
import type { JsonObject } from './json.ts';
import { type ApiError, openAiUnknownModel } from './openai/errors.ts';
import type { OpenAiProvider } from './openai/provider.ts';
import { openAiRoutes } from './openai/routes.ts';
import { imageModel, type SandboxProvider, sandboxBasePath, sandboxProviders } from './providers.ts';
import { type Family, type SimulationOptions, type Simulator, startSimulation } from './simulation.ts';

/** The sandbox providers: OpenAI's format, and only requests that have no answer are refused. */
export const sandboxFamilies: readonly Family[] = sandboxProviders.map(
  (provider) => (settings) => openAiRoutes(openAiProviderOf(provider), settings),
);

/** Starts the sandbox providers on one port. Rejects when the port cannot be had. */
export const startSandbox = (options: SimulationOptions = {}): Promise<Simulator> =>
  startSimulation({ families: sandboxFamilies, basePathOf: (id = 'sandbox-a') => sandboxBasePath(id) }, options);

const openAiProviderOf = ({ id, models }: SandboxProvider): OpenAiProvider => ({
  id,
  basePath: sandboxBasePath(id),
  models: [...models, imageModel],
  refuseChat: (body) => refuseUnanswerableChat(body) ?? refuseModel(body, models),
  refuseImages: (body, operation) => refuseModel(body, [imageModel]) ?? refuseUnanswerableImages(body, operation),
});

const refuseModel = ({ model }: JsonObject, known: readonly string[]): ApiError | undefined =>
  known.includes(String(model)) ? undefined : openAiUnknownModel(String(model));
