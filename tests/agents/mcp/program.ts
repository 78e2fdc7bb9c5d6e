import type { NpmProgram } from '../install.ts';

/** The environment of a program, and the gateway it connects to. */
export interface McpOrder {
  /** Path of the installed program. */
  executable: string;
  /** Its home folder, in which it stores tokens. */
  home: string;
  environment: Readonly<Record<string, string>>;
  /** URL of `/mcp`. */
  url: string;
  /** Without a key the program has to sign in with OAuth. */
  apiKey?: string;
  /** From MCP 2026-07-28 on, a client sends no `initialize`. */
  isModern?: boolean;
}

/** A program that connects to an MCP server by its address and opens a browser to sign in. */
export interface McpProgram extends NpmProgram {
  /** Glob of the files in its home folder that hold tokens. */
  tokenFiles: string;
  /** Resolves with the names of the listed tools; rejects with the program's output. */
  listTools(order: McpOrder): Promise<string[]>;
}

export const programDeadlineMs = 60_000;
