import { openaiEmbeddings, openaiQuirks, openaiResponses, openaiSpeech, openaiTranscriptions } from '../openai/chat.ts';
import { openAiCompatible } from '../openai-compatible/chat.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { azureAddress, azureRerankPath } from './address.ts';

/** OpenAI's models under deployment names that each customer chooses: an offer's model is the name of a deployment. */
export const azure: ChatProvider = {
  ...openAiCompatible({
    id: 'azure',
    // Each customer has an address; this is its form.
    baseUrl: 'https://RESOURCE.openai.azure.com/openai/v1',
    keyVariable: 'AZURE',
    // At every form of the address.
    keyCheckPath: '/openai/v1/models',
    auth: { kind: 'header', name: 'api-key' },
    embeddings: openaiEmbeddings,
    speech: openaiSpeech,
    transcriptions: openaiTranscriptions,
    rerank: { path: azureRerankPath, accepts: ['max_tokens_per_doc', 'priority'] },
    realtime: true,
    responses: { chats: openaiResponses },
    members: ['data_sources', 'user_security_context'],
    quirks: { ...openaiQuirks, errors: { ResponsibleAIPolicyViolation: 'policy', DeploymentNotFound: 'model' } },
  }),
  settings: [
    {
      name: 'AZURE_API_VERSION',
      description: 'Version of the Azure OpenAI API. If set, requests use deployment URLs (`/openai/deployments/…`).',
      example: '2024-10-21',
    },
  ],
  address: azureAddress,
};
