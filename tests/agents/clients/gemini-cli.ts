import type { Agent } from '../agent.ts';

export const geminiCli: Agent = {
  name: 'gemini-cli',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: 'gemini',
  readCall: (file) => ({ tool: 'read_file', arguments: { file_path: file } }),
  start: ({ baseUrl, apiKey, model, prompt }) => ({
    files: {
      '.gemini/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        // With an address and without this, it selects a kind of sign-in that it then refuses.
        security: { auth: { selectedType: 'gemini-api-key' } },
      }),
    },
    environment: {
      // The address without `/v1`.
      GOOGLE_GEMINI_BASE_URL: new URL(baseUrl).origin,
      GEMINI_API_KEY: apiKey,
    },
    args: ['--skip-trust', '--model', model, '--prompt', prompt],
  }),
};
