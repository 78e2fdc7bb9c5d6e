import type { Agent, AgentStart, AgentTask } from './agent.ts';
import type { Rig } from '../clients/rig.ts';
import { withHome, workspaceOf } from './home.ts';
import { compactionProblems } from './compactions.ts';
import { compactedQuestions, type Question, questionsFor } from './questions.ts';
import { runAgent } from './run-agent.ts';
import type { ProxiedRequest } from './proxied-request.ts';
import { startRecordingProxy } from './recording-proxy.ts';

/** The result of one agent in one conversation. */
export interface AgentTrial {
  agent: Agent;
  /** The model of the first questions. */
  model: string;
  requests: readonly ProxiedRequest[];
  /** Number of requests that the gateway or a vendor refused. */
  refused: number;
  /** Reasons of the failure; empty if the agent succeeded. */
  problems: readonly string[];
}

interface TrialSettings {
  model: string;
  /** Path of the installed program. */
  program: string;
  rig: Rig;
}

const deadlineMs = 90_000;

/** Asks an agent three questions in one conversation, without user interaction; the last one goes to another vendor. */
export const tryAgent = (agent: Agent, settings: TrialSettings & { lastModel: string }): Promise<AgentTrial> =>
  tryTalk({
    ...settings,
    agent,
    questionsIn: (folder) => questionsFor(agent, { ...settings, folder }),
    start: (task) => agent.start(task),
    check: () => [],
  });

/** The same for an agent whose conversation the gateway compacts before each further question. */
export const tryCompacting = (
  agent: Agent,
  start: (task: AgentTask) => AgentStart,
  settings: TrialSettings,
): Promise<AgentTrial> =>
  tryTalk({
    ...settings,
    agent,
    questionsIn: (folder) => compactedQuestions(agent, { ...settings, folder }),
    start,
    check: compactionProblems,
  });

interface Talk extends TrialSettings {
  agent: Agent;
  questionsIn(folder: string): readonly Question[];
  start(task: AgentTask): AgentStart;
  /** What is wrong with the requests of a conversation that succeeded. */
  check(requests: AgentTrial['requests']): string[];
}

async function tryTalk(talk: Talk): Promise<AgentTrial> {
  const { agent, rig, model } = talk;
  rig.simulator.reset();
  const proxy = await startRecordingProxy(rig.gateway.baseUrl);
  try {
    const failures = await converse(talk, `${proxy.url}/v1`);
    const byGateway = proxy.requests.filter(({ status }) => status >= 400 || status === 0);
    const byVendors = rig.simulator.requests.filter(({ status = 0 }) => status >= 400);
    const problems = [
      ...byGateway.map(({ path, status, refusal }) => `${path} was answered ${status}: ${refusal ?? 'nothing'}`),
      ...byVendors.map(({ provider, status, model: name }) => `${provider} answered ${status} for ${name}`),
      ...(failures.length > 0 ? failures : talk.check(proxy.requests)),
    ];
    return { agent, model, requests: proxy.requests, refused: byGateway.length + byVendors.length, problems };
  } finally {
    proxy.close();
  }
}

/** Returns what went wrong, and ends with the first question that failed. */
const converse = ({ program, rig, questionsIn, start }: Talk, baseUrl: string) =>
  withHome(async (home): Promise<string[]> => {
    for (const [at, { prompt, files, answer, model }] of questionsIn(workspaceOf(home)).entries()) {
      const task = { home, baseUrl, apiKey: rig.gateway.apiKey, model, prompt, isContinued: at > 0 };
      const { exitCode, output } = await runAgent({ program, start: start(task), home, files, deadlineMs });
      const name = `Question ${at + 1}, to ${model},`;
      if (exitCode !== 0) return [`${name} ended with ${exitCode}:\n${output.trim()}`];
      if (!output.includes(answer)) return [`${name} was not answered:\n${output.trim()}`];
    }
    return [];
  });
