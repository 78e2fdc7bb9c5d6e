import { documentedBlock } from '../../docs/client-examples.ts';
import type { Agent, AgentStart, AgentTask } from '../agent.ts';
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
  start: (task) => startWith(settingsOf(task), task),
  startCompacting: (task) => startWith(compactingSettingsOf(task), task),
};

const settingsOf = (task: AgentTask): string => documentedBlock('Codex', 'toml', placeOf(task));

/** At this limit, every conversation is too long. */
const compactingSettingsOf = (task: AgentTask): string =>
  (task.isContinued ? 'model_auto_compact_token_limit = 1\n' : '') +
  settingsOf(task).replace('name = "Tallyport"', 'name = "OpenAI"');

const startWith = (settings: string, { apiKey, isContinued, prompt }: AgentTask): AgentStart => ({
  files: { '.codex/config.toml': settings },
  environment: { TALLYPORT_API_KEY: apiKey },
  args: ['exec', '--skip-git-repo-check', ...(isContinued ? ['resume', '--last'] : []), prompt],
});
