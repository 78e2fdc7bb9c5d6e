import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Rig, startRig } from '../clients/rig.ts';
import { startSharedServers } from '../support/servers.ts';
import type { Agent } from './agent.ts';
import { agents } from './agents.ts';
import { installProgram, type NpmProgram } from './install.ts';
import type { McpProgram } from './mcp/program.ts';
import { mcpPrograms } from './mcp/programs.ts';
import { loopbackNames, setUpOwner, tryMcpProgram } from './mcp/trial.ts';
import { keepRequests } from './recorded.ts';
import { type AgentTrial, tryAgent, tryCompacting } from './trial.ts';

/**
 * `npm run agents [-- --only pi --models gpt-6-luna,claude-opus-4-8 --record]`: installs agents, has a conversation with
 * each of them and each model of the simulated vendors, another one that is compacted where an agent does that, and fails
 * if an agent fails or a request is refused. `--record` keeps
 * their requests for the tests. Programs that connect to `/mcp` sign in with OAuth at each loopback name and list the
 * tools.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    models: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});

/** In a conversation, the last question goes to the next model of the list. */
const usualModels = [
  'openai/gpt-6-luna',
  'claude-opus-4-8',
  'deepseek/deepseek-v4-flash',
  'gemini-3.8-flash',
  'moonshot/kimi-k2.6',
  'aws-bedrock/claude-sonnet-5-5',
  'zai/glm-5.3',
  'openai/gpt-5.5',
  'minimax/minimax-m2.7',
  'claude-haiku-4-5',
  'mistral-medium-2604',
  'gemini-2.5-flash-lite',
  'grok-4.3',
];
const models = values.models?.split(',') ?? usualModels;
const isChosen = ({ name }: NpmProgram) => values.only === undefined || values.only.split(',').includes(name);
const cache = join(import.meta.dirname, '../../.cache/agents');

const servers = await startSharedServers();
Object.assign(process.env, servers.environment);
const rig = await startRig();
let allPassed = true;
try {
  for (const agent of agents.filter(isChosen)) allPassed = (await runOne(agent, rig)) && allPassed;
  await setUpOwner(rig.gateway);
  for (const program of mcpPrograms.filter(isChosen)) allPassed = (await runMcpProgram(program, rig)) && allPassed;
} finally {
  await rig.stop();
  await servers.stop();
}
process.exitCode = allPassed ? 0 : 1;

async function runOne(agent: Agent, running: Rig): Promise<boolean> {
  const title = titleOf(agent);
  const executable = await install(agent);
  if (executable === undefined) return true;
  const trials: AgentTrial[] = [];
  for (const [at, model] of models.entries()) {
    const lastModel = models[(at + 1) % models.length] ?? model;
    const settings = { model, program: executable, rig: running };
    const trial = await tryAgent(agent, { ...settings, lastModel });
    trials.push(trial);
    report(title, trial);
    if (agent.startCompacting === undefined) continue;
    const compacting = await tryCompacting(agent, agent.startCompacting, settings);
    trials.push(compacting);
    report(`${title}, compacting,`, compacting);
  }
  const passed = trials.every(({ problems }) => problems.length === 0);
  if (values.record && passed) await keepRequests(agent, trials);
  return passed;
}

async function runMcpProgram(program: McpProgram, { gateway }: Rig): Promise<boolean> {
  const executable = await install(program);
  if (executable === undefined) return true;
  let passed = true;
  for (const name of loopbackNames) {
    const trials = await tryMcpProgram({ program, executable }, { gateway, name });
    for (const { title, problem } of trials) {
      console.log(`${titleOf(program)} ${name}, ${title}: ${problem === undefined ? 'passed' : `FAILED\n${problem}`}`);
      passed &&= problem === undefined;
    }
  }
  return passed;
}

/** Returns the path of the program; reports a failure and returns `undefined` if it cannot be installed. */
async function install(requested: NpmProgram): Promise<string | undefined> {
  const installed = await installProgram(requested, cache);
  if ('program' in installed) return installed.program;
  console.log(`${titleOf(requested)}: skipped, the installation failed: ${installed.problem}`);
  return undefined;
}

function titleOf({ name, version }: NpmProgram): string {
  return `${name} ${version}`;
}

function report(title: string, { model, requests, refused, problems }: AgentTrial): void {
  const verdict = problems.length === 0 ? 'passed' : 'FAILED';
  console.log(`${title} ${model}: ${verdict}, ${requests.length} requests, ${refused} refused`);
  for (const problem of problems) console.log(`  ${problem}`);
}
