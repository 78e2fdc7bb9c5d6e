import type { Agent } from '../agent.ts';

export const qwenCode: Agent = {
  name: 'qwen-code',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  program: 'qwen',
  readCall: (file, folder) => ({ tool: 'read_file', arguments: { file_path: `${folder}/${file}` } }),
  start: ({ baseUrl, apiKey, model, prompt }) => ({
    files: {
      '.qwen/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
    environment: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_MODEL: model },
    args: ['--auth-type', 'openai', '--yolo', '-p', prompt],
  }),
};
