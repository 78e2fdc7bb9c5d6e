import type { Agent } from '../agent.ts';

export const claudeCode: Agent = {
  name: 'claude-code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.330',
  program: 'claude',
  readCall: (file) => ({ tool: 'Read', arguments: { file_path: file } }),
  start: ({ baseUrl, apiKey, model, prompt }) => ({
    environment: {
      // The address without `/v1`.
      ANTHROPIC_BASE_URL: new URL(baseUrl).origin,
      ANTHROPIC_AUTH_TOKEN: apiKey,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    args: ['-p', prompt, '--permission-mode', 'acceptEdits'],
  }),
};
