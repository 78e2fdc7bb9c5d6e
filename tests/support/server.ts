/** A real server of a single test, which may kill and restart it. */
export interface TestServer {
  url: string;
  /** Absent when the server runs in a container. */
  pid: number | undefined;
  /** Resolves when the server has ended. Keeps its port and data for `restart`. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Restarts the server with the same port and data, and resolves when it answers. */
  restart(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Default: a free port. */
  port?: number;
  /** Additional arguments, for example limits and users. The server is then always a local process. */
  args?: readonly string[];
}

/** How to run a server program. */
export interface ProgramRecipe {
  name: string;
  url(host: string, port: number): string;
  /** Whether it accepts requests, not only connections. */
  answers(host: string, port: number): Promise<boolean>;
  /** Runs once in an empty directory, before the first start. */
  prepare?(programs: readonly string[], directory: string): Promise<void>;
  /** The command line, with the paths of `programs`. */
  command(programs: readonly string[], place: { port: number; directory: string }): readonly string[];
  /** Ends the server at once without leaving system resources behind. */
  stopSignal: NodeJS.Signals;
  /** The server refuses to run as root. */
  unprivileged?: boolean;
}

/** How to find and run one kind of server; `servers.ts` chooses the way. */
export interface Recipe extends ProgramRecipe {
  name: 'nats' | 'redis' | 'postgres';
  /** The environment variable with the URL of a running server. */
  variable: 'TEST_NATS_URL' | 'TEST_REDIS_URL' | 'TEST_DATABASE_URL';
  /** The programs to run it locally; all of them are needed. */
  programs: readonly string[];
  aptPackage: string;
  container: { image: string; port: number; command: readonly string[]; environment: Record<string, string> };
}
