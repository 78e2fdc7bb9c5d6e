import { documentedBlock } from '../../docs/client-examples.ts';
import type { Agent } from '../agent.ts';
import { placeOf } from '../place.ts';

/** These get one custom tool that runs a script, which calls the others. */
const ownModels = /(^|\/)gpt-6/;

const call = (tool: string, args: Readonly<Record<string, string>>) => ({ tool, arguments: args });

export const codex: Agent = {
  name: 'codex',
  package: '@openai/codex',
  version: '0.169.0',
  program: 'codex',
  readCall: ({ file, model }) =>
    ownModels.test(model)
      ? call('functions__exec', { input: `text(JSON.stringify(await tools.exec_command({cmd:'cat ${file}'})))` })
      : call('exec_command', { cmd: `cat ${file}` }),
  start: (task) => ({
    files: { '.codex/config.toml': documentedBlock('Codex', 'toml', placeOf(task)) },
    environment: { TALLYPORT_API_KEY: task.apiKey },
    args: ['exec', '--skip-git-repo-check', ...(task.isContinued ? ['resume', '--last'] : []), task.prompt],
  }),
};
