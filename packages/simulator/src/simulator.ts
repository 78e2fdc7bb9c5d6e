import { sandboxFamilies, type SimulationOptions, type Simulator, startSimulation } from '@tallyport/sandbox';
import { anthropicRoutes } from './anthropic/routes.ts';
import { basePathOf } from './bases.ts';
import { bedrockRoutes } from './bedrock/routes.ts';
import type { AwsCredentials } from './bedrock/signature.ts';
import { compatibleRoutes } from './compatible/routes.ts';
import { googleRoutes } from './google/routes.ts';
import { imageRoutes } from './images/routes.ts';
import { openAiVendorRoutes } from './openai/openai.ts';
import { responsesRoutes } from './responses/routes.ts';

export interface SimulatorOptions extends SimulationOptions {
  /** With credentials, AWS signatures are fully verified; without them, only their form is checked. */
  awsCredentials?: AwsCredentials;
}

/** Starts the simulated vendors and the sandbox providers on one port. Rejects if the port is not available. */
export function startSimulator({ awsCredentials, ...options }: SimulatorOptions = {}): Promise<Simulator> {
  const families = [
    anthropicRoutes,
    bedrockRoutes(awsCredentials),
    compatibleRoutes,
    googleRoutes,
    imageRoutes,
    openAiVendorRoutes,
    responsesRoutes,
    ...sandboxFamilies,
  ];
  return startSimulation({ families, basePathOf }, options);
}
