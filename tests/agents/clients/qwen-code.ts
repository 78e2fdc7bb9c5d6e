import { documentedVariables } from '../../docs/client-examples.ts';
import type { Agent } from '../agent.ts';
import { placeOf } from '../place.ts';

export const qwenCode: Agent = {
  name: 'qwen-code',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  program: 'qwen',
  readCall: ({ file, folder }) => ({ tool: 'read_file', arguments: { file_path: `${folder}/${file}` } }),
  start: (task) => ({
    files: {
      '.qwen/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
    environment: documentedVariables('Qwen Code', placeOf(task)),
    args: [...(task.isContinued ? ['--continue'] : []), '--auth-type', 'openai', '--yolo', '-p', task.prompt],
  }),
};
