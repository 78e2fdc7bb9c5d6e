import { documentedVariables } from '../../docs/client-examples.ts';
import type { Agent } from '../agent.ts';
import { placeOf } from '../place.ts';

export const claudeCode: Agent = {
  name: 'claude-code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.330',
  program: 'claude',
  readCall: ({ file }) => ({ tool: 'Read', arguments: { file_path: file } }),
  start: (task) => ({
    environment: {
      ...documentedVariables('Claude Code', placeOf(task)),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    args: [...(task.isContinued ? ['--continue'] : []), '-p', task.prompt, '--permission-mode', 'acceptEdits'],
  }),
};
