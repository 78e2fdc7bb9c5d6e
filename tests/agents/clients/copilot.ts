import type { Agent } from '../agent.ts';

export const copilotCli: Agent = {
  name: 'copilot',
  package: '@github/copilot',
  version: '1.0.102',
  program: 'copilot',
  readCall: (file) => ({ tool: 'view', arguments: { path: file } }),
  start: ({ baseUrl, apiKey, model, prompt }) => ({
    environment: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: baseUrl,
      COPILOT_PROVIDER_API_KEY: apiKey,
      COPILOT_MODEL: model,
    },
    args: ['--allow-all-tools', '-p', prompt],
  }),
};
