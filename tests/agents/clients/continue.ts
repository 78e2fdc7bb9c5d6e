import type { Agent } from '../agent.ts';

export const continueCli: Agent = {
  name: 'continue',
  package: '@continuedev/cli',
  version: '1.5.47',
  program: 'cn',
  readCall: (file) => ({ tool: 'Read', arguments: { filepath: file } }),
  start: ({ home, baseUrl, apiKey, model, prompt }) => ({
    files: { 'continue.yaml': JSON.stringify(configOf({ apiBase: baseUrl, apiKey, model })) },
    environment: { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_CLI_ENABLE_TELEMETRY: '0' },
    args: ['--config', `${home}/continue.yaml`, '--auto', '-p', prompt],
  }),
};

/** The file is YAML, of which JSON is a subset. */
const configOf = (options: { apiBase: string; apiKey: string; model: string }) => ({
  name: 'Tallyport',
  version: '1.0.0',
  schema: 'v1',
  models: [{ name: 'tallyport', provider: 'openai', roles: ['chat'], ...options }],
});
