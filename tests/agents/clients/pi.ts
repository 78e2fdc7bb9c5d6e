import type { Agent } from '../agent.ts';

export const pi: Agent = {
  name: 'pi',
  package: '@earendil-works/pi-coding-agent',
  // Later versions depend on packages that are not published.
  version: '0.87.1',
  program: 'pi',
  readCall: (file) => ({ tool: 'read', arguments: { path: file } }),
  start: ({ baseUrl, apiKey, model, prompt }) => ({
    files: {
      '.pi/agent/models.json': JSON.stringify({
        providers: { tallyport: { baseUrl, apiKey, api: 'openai-completions', models: [{ id: model }] } },
      }),
    },
    environment: { PI_OFFLINE: '1', PI_TELEMETRY: '0' },
    args: ['--provider', 'tallyport', '--model', model, '-p', prompt],
  }),
};
