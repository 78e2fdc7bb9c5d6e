import { join } from 'node:path';
import type { Simulator } from '@tallyport/simulator';
import { buildCatalogue } from '../../services/catalog-svc/src/build-catalogue.ts';
import { gatherIngredients } from '../../services/catalog-svc/src/ingredients.ts';
import { readDataFiles, readTierRules } from '../../services/catalog-svc/src/read-data.ts';
import { type ChatBench, startChatBench } from '../../services/chat-svc/src/testing/chat-bench.ts';

const awsCredentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const data = join(import.meta.dirname, '../../services/catalog-svc/src/data');

/** chat-svc with the prices of our catalogue, and the simulator as the vendors. */
export async function startPricedBench({ chunksPerSecond = 0 } = {}): Promise<ChatBench> {
  const ingredients = gatherIngredients(await readDataFiles(data), await readTierRules(data));
  return startChatBench({
    catalogue: buildCatalogue(ingredients, { sandbox: false, now: Date.parse('2026-11-26') }),
    chunksPerSecond,
    awsCredentials,
    environment: ({ baseUrl }: Simulator) => ({
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: baseUrl('anthropic'),
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: baseUrl('openai'),
      GEMINI_API_KEY: 'key',
      GEMINI_BASE_URL: baseUrl('google'),
      AZURE_API_KEY: 'key',
      AZURE_BASE_URL: baseUrl('azure'),
      XAI_API_KEY: 'key',
      XAI_BASE_URL: baseUrl('xai'),
      OPENROUTER_API_KEY: 'key',
      OPENROUTER_BASE_URL: baseUrl('openrouter'),
      AWS_ACCESS_KEY_ID: awsCredentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: awsCredentials.secretAccessKey,
      AWS_BEDROCK_BASE_URL: baseUrl('aws-bedrock'),
    }),
  });
}
