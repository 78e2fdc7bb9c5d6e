import type { Agent } from '../agent.ts';

export const codex: Agent = {
  name: 'codex',
  package: '@openai/codex',
  version: '0.169.0',
  program: 'codex',
  readCall: (file) => ({ tool: 'exec_command', arguments: { cmd: `cat ${file}` } }),
  start: ({ baseUrl, apiKey, model, prompt }) => ({
    files: {
      '.codex/config.toml': [
        `model = "${model}"`,
        'model_provider = "tallyport"',
        '[model_providers.tallyport]',
        'name = "Tallyport"',
        `base_url = "${baseUrl}"`,
        'env_key = "TALLYPORT_API_KEY"',
        'wire_api = "responses"',
      ].join('\n'),
    },
    environment: { TALLYPORT_API_KEY: apiKey },
    args: ['exec', '--skip-git-repo-check', prompt],
  }),
};
