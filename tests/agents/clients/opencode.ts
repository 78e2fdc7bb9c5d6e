import type { Agent } from '../agent.ts';

export const opencode: Agent = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: 'opencode',
  readCall: (file) => ({ tool: 'read', arguments: { filePath: file } }),
  start: ({ baseUrl, apiKey, model, prompt }) => ({
    files: { '.config/opencode/opencode.json': JSON.stringify(configOf({ baseUrl, apiKey, model })) },
    environment: {
      OPENCODE_DISABLE_AUTOUPDATE: 'true',
      OPENCODE_DISABLE_LSP_DOWNLOAD: 'true',
      OPENCODE_DISABLE_MODELS_FETCH: 'true',
    },
    args: ['run', '--model', `tallyport/${model}`, prompt],
  }),
};

const configOf = ({ baseUrl, apiKey, model }: { baseUrl: string; apiKey: string; model: string }) => ({
  provider: {
    tallyport: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Tallyport',
      options: { baseURL: baseUrl, apiKey },
      models: { [model]: { name: model } },
    },
  },
});
