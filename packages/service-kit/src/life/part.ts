export interface CheckResult {
  readonly ok: boolean;
  /** What is away and what that means, for the person who reads `/readyz`. */
  readonly message?: string;
}

/** Something with a lifetime: a server, a connection, a module. */
export interface Part {
  readonly name: string;
  /** Resolves when it works. A part whose start failed is not stopped. */
  start?(): Promise<void>;
  /** Whether it works now. Bounded by its caller, so it may simply wait. */
  check?(): Promise<CheckResult>;
  /** Takes no new work and finishes what runs, within the deadline; what is not done then is aborted by the part itself. */
  stop?(deadlineMs: number): Promise<void>;
}
