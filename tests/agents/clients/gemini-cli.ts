import { documentedBlock, documentedVariables } from '../../docs/client-examples.ts';
import type { Agent } from '../agent.ts';
import { placeOf } from '../place.ts';

export const geminiCli: Agent = {
  name: 'gemini-cli',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: 'gemini',
  readCall: ({ file }) => ({ tool: 'read_file', arguments: { file_path: file } }),
  start: (task) => ({
    files: {
      '.gemini/settings.json': JSON.stringify({
        ...JSON.parse(documentedBlock('Gemini CLI', 'json', placeOf(task))),
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
    environment: documentedVariables('Gemini CLI', placeOf(task)),
    args: [
      '--skip-trust',
      ...(task.isContinued ? ['--resume', 'latest'] : []),
      '--model',
      task.model,
      '--prompt',
      task.prompt,
    ],
  }),
};
