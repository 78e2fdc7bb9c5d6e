import type { ClientRequest } from '../../client.ts';

/** One use of a feature beside the chats, and what was wrong about it. */
export interface Use {
  feature: string;
  from: number;
  until: number;
  edge: number;
  /** `done`, or the error that it was refused with. */
  result: string;
  problem?: string | undefined;
  /** Requests of it that are in the ledger. */
  asked?: readonly ClientRequest[];
}

/** The traffic of one feature. */
export interface Feature {
  everyMs: number;
  /** Never rejects: a failure is a problem of the use. */
  use(number: number): Promise<Use>;
  /** Problems that only show at the end. */
  end?(): Promise<Use[]>;
  stop?(): Promise<unknown>;
}
