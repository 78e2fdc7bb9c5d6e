/** A real server that a test may do anything to: it is nobody else's. */
export interface TestServer {
  url: string;
  /** Absent when the server runs in a container. */
  pid: number | undefined;
  /** Resolves when the server is gone. Its port and data stay for `restart`. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts again on the same port and data, and resolves when it answers. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** A free one when absent. */
  port?: number;
  /** More of its own command line: limits, users. Such a server is always a process on this machine. */
  args?: readonly string[];
}

/** How to find and run one kind of server; `servers.ts` decides which way is taken. */
export interface Recipe {
  name: 'nats' | 'redis' | 'postgres';
  /** The environment variable that names a server which runs already. */
  variable: 'TEST_NATS_URL' | 'TEST_REDIS_URL' | 'TEST_DATABASE_URL';
  /** The programs needed on this machine, all or nothing. */
  programs: readonly string[];
  aptPackage: string;
  container: { image: string; port: number; command: readonly string[]; environment: Record<string, string> };
  url(host: string, port: number): string;
  /** Whether it takes work, not only connections. */
  answers(host: string, port: number): Promise<boolean>;
  /** Runs once in an empty directory, before the first start. */
  prepare?(programs: readonly string[], directory: string): Promise<void>;
  /** The command line, with the paths of `programs`. */
  command(programs: readonly string[], place: { port: number; directory: string }): readonly string[];
  /** Ends it at once, leaving nothing of it in the system. */
  stopSignal: NodeJS.Signals;
  /** Refuses to run as root. */
  unprivileged?: boolean;
}
