import { openaiQuirks } from '../openai/chat.ts';
import { openAiCompatible } from '../openai-compatible/chat.ts';
import type { ChatProvider } from '../provider.ts';
import { azureAddress } from './address.ts';

/** OpenAI's models under names of one's own: an offer's model is the name of a deployment. */
export const azure: ChatProvider = {
  ...openAiCompatible({
    id: 'azure',
    // Everyone has an address of their own; this is how it looks.
    baseUrl: 'https://RESOURCE.openai.azure.com/openai/v1',
    keyVariable: 'AZURE',
    auth: { kind: 'header', name: 'api-key' },
    quirks: { ...openaiQuirks, errors: { ResponsibleAIPolicyViolation: 'policy', DeploymentNotFound: 'model' } },
  }),
  settings: [
    {
      name: 'AZURE_API_VERSION',
      description: 'Version of the Azure OpenAI API. Set, the addresses of single deployments are used.',
      example: '2024-10-21',
    },
  ],
  address: azureAddress,
};
