import type { NpmProgram } from './install.ts';

/** The home folder, gateway, model and prompt of one run of an agent. */
export interface AgentTask {
  /** The home folder, which contains only the agent's settings. */
  home: string;
  /** URL of the gateway, with `/v1`. */
  baseUrl: string;
  apiKey: string;
  model: string;
  prompt: string;
  /** Whether the home folder has a conversation that this prompt continues. */
  isContinued: boolean;
}

interface ReadTask {
  file: string;
  folder: string;
  /** Some agents give models that they know other tools. */
  model: string;
}

export interface AgentStart {
  /** Settings files in its home folder, by path. */
  files?: Readonly<Record<string, string>>;
  environment?: Readonly<Record<string, string>>;
  args: readonly string[];
}

/** A coding agent with its default settings, except for those that docs/clients.md names. */
export interface Agent extends NpmProgram {
  /** The call of its tool that reads a file of the working folder. */
  readCall(read: ReadTask): { tool: string; arguments: Readonly<Record<string, string>> };
  /** How to start it without user interaction, telemetry and updates. */
  start(task: AgentTask): AgentStart;
  /** How to start it so that the gateway compacts its conversation before each further question; absent if it never asks for that. */
  startCompacting?(task: AgentTask): AgentStart;
}
