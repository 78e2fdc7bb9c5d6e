import type { Agent } from './agent.ts';
import type { Rig } from '../clients/rig.ts';
import { withHome, workspaceOf } from './home.ts';
import { readingTask } from './reading-task.ts';
import { runAgent } from './run-agent.ts';
import { type ProxiedRequest, startRecordingProxy } from './recording-proxy.ts';

/** The result of one agent with one model. */
export interface AgentTrial {
  agent: Agent;
  model: string;
  requests: readonly ProxiedRequest[];
  /** Number of requests that the gateway or a vendor refused. */
  refused: number;
  /** Reasons of the failure; empty if the agent succeeded. */
  problems: readonly string[];
}

const deadlineMs = 90_000;

/** Runs an agent without user interaction on a task that needs several tool calls. */
export async function tryAgent(
  agent: Agent,
  { model, program, rig }: { model: string; program: string; rig: Rig },
): Promise<AgentTrial> {
  const { gateway, simulator } = rig;
  simulator.reset();
  const proxy = await startRecordingProxy(gateway.baseUrl);
  try {
    const { exitCode, output, answer } = await withHome(async (home) => {
      const { prompt, files, answer } = readingTask(agent, workspaceOf(home));
      const task = { home, baseUrl: `${proxy.url}/v1`, apiKey: gateway.apiKey, model, prompt };
      return { ...(await runAgent({ agent, program, task, files, deadlineMs })), answer };
    });
    const byGateway = proxy.requests.filter(({ status }) => status >= 400 || status === 0);
    const byVendors = simulator.requests.filter(({ status = 0 }) => status >= 400);
    const problems = [
      ...byGateway.map(({ path, status, refusal }) => `${path} was answered ${status}: ${refusal ?? 'nothing'}`),
      ...byVendors.map(({ provider, status, model: name }) => `${provider} answered ${status} for ${name}`),
      ...(exitCode === 0 ? [] : [`It ended with ${exitCode}:\n${output.trim()}`]),
      ...(output.includes(answer) ? [] : [`It did not find the answer:\n${output.trim()}`]),
    ];
    return { agent, model, requests: proxy.requests, refused: byGateway.length + byVendors.length, problems };
  } finally {
    proxy.close();
  }
}
