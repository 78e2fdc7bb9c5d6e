import { documentedBlock } from '../../docs/client-examples.ts';
import type { Agent } from '../agent.ts';
import { placeOf } from '../place.ts';

export const continueCli: Agent = {
  name: 'continue',
  package: '@continuedev/cli',
  version: '1.5.47',
  program: 'cn',
  readCall: ({ file }) => ({ tool: 'Read', arguments: { filepath: file } }),
  start: (task) => ({
    files: { 'continue.yaml': documentedBlock('Continue', 'yaml', placeOf(task)) },
    environment: { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_CLI_ENABLE_TELEMETRY: '0' },
    args: [
      '--config',
      `${task.home}/continue.yaml`,
      '--auto',
      ...(task.isContinued ? ['--resume'] : []),
      '-p',
      task.prompt,
    ],
  }),
};
