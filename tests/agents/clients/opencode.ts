import { documentedBlock } from '../../docs/client-examples.ts';
import type { Agent } from '../agent.ts';
import { placeOf } from '../place.ts';

export const opencode: Agent = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: 'opencode',
  readCall: ({ file }) => ({ tool: 'read', arguments: { filePath: file } }),
  start: (task) => ({
    files: { '.config/opencode/opencode.json': documentedBlock('opencode', 'json', placeOf(task)) },
    environment: {
      OPENCODE_DISABLE_AUTOUPDATE: 'true',
      OPENCODE_DISABLE_LSP_DOWNLOAD: 'true',
      OPENCODE_DISABLE_MODELS_FETCH: 'true',
    },
    args: ['run', ...(task.isContinued ? ['--continue'] : []), '--model', `tallyport/${task.model}`, task.prompt],
  }),
};
