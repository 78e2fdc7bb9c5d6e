import type { Agent } from './agent.ts';
import type { Rig } from '../clients/rig.ts';
import { withHome, workspaceOf } from './home.ts';
import { questionsFor } from './questions.ts';
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
  /** Another vendor's, which answers the last question. */
  lastModel: string;
  /** Path of the installed program. */
  program: string;
  rig: Rig;
}

const deadlineMs = 90_000;

/** Asks an agent three questions in one conversation, without user interaction; the last one goes to another vendor. */
export async function tryAgent(agent: Agent, settings: TrialSettings): Promise<AgentTrial> {
  const { rig, model } = settings;
  rig.simulator.reset();
  const proxy = await startRecordingProxy(rig.gateway.baseUrl);
  try {
    const failures = await converse(agent, settings, `${proxy.url}/v1`);
    const byGateway = proxy.requests.filter(({ status }) => status >= 400 || status === 0);
    const byVendors = rig.simulator.requests.filter(({ status = 0 }) => status >= 400);
    const problems = [
      ...byGateway.map(({ path, status, refusal }) => `${path} was answered ${status}: ${refusal ?? 'nothing'}`),
      ...byVendors.map(({ provider, status, model: name }) => `${provider} answered ${status} for ${name}`),
      ...failures,
    ];
    return { agent, model, requests: proxy.requests, refused: byGateway.length + byVendors.length, problems };
  } finally {
    proxy.close();
  }
}

/** Returns what went wrong, and ends with the first question that failed. */
const converse = (agent: Agent, { model, lastModel, program, rig }: TrialSettings, baseUrl: string) =>
  withHome(async (home): Promise<string[]> => {
    const questions = questionsFor(agent, { folder: workspaceOf(home), model, lastModel });
    for (const [at, { prompt, files, answer, model: asked }] of questions.entries()) {
      const task = { home, baseUrl, apiKey: rig.gateway.apiKey, model: asked, prompt, isContinued: at > 0 };
      const { exitCode, output } = await runAgent({ agent, program, task, files, deadlineMs });
      const name = `Question ${at + 1}, to ${task.model},`;
      if (exitCode !== 0) return [`${name} ended with ${exitCode}:\n${output.trim()}`];
      if (!output.includes(answer)) return [`${name} was not answered:\n${output.trim()}`];
    }
    return [];
  });
