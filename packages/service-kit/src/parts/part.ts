export interface CheckResult {
  readonly ok: boolean;
  /** What is unavailable and what that means, for readers of `/readyz`. */
  readonly message?: string;
}

/** Something with a lifetime: a server, a connection, a module. */
export interface Part {
  readonly name: string;
  /** Resolves when it works. A part whose start failed is not stopped. */
  start?(): Promise<void>;
  /** Whether the part works now. The caller applies a time limit. */
  check?(): Promise<CheckResult>;
  /** Accepts no new work and finishes running work. At the deadline the part aborts what is left. */
  stop?(deadlineMs: number): Promise<void>;
}
