import { documentedVariables } from '../../docs/client-examples.ts';
import type { Agent } from '../agent.ts';
import { placeOf } from '../place.ts';

export const copilotCli: Agent = {
  name: 'copilot',
  package: '@github/copilot',
  version: '1.0.102',
  program: 'copilot',
  readCall: ({ file }) => ({ tool: 'view', arguments: { path: file } }),
  start: (task) => ({
    environment: documentedVariables('Copilot CLI', placeOf(task)),
    args: [...(task.isContinued ? ['--continue'] : []), '--allow-all-tools', '-p', task.prompt],
  }),
};
