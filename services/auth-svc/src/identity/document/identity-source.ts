import { fileMark, StartError } from '@tallyport/service-kit';
import type { IdentityEvents } from '../events.ts';
import { FileError } from '@tallyport/wire/yaml';
import { type Identity, passwordsOnly, readIdentity } from './read-identity.ts';

export interface IdentitySource {
  /** The document in force. Its objects are the same until it changes. */
  current(): Identity;
  /** Throws StartError if the document is invalid, because there is no previous one at the start. */
  start(): Promise<void>;
  stop(): void;
}

interface IdentitySourceOptions {
  /** Without a file, people have passwords only. */
  file: string | undefined;
  events: Pick<IdentityEvents, 'identityLoaded' | 'identityRefused'>;
  /** Called after a document replaced the previous one. */
  onChange?: ((before: Identity, after: Identity) => void) | undefined;
  /** Called for errors that another document cannot fix. */
  fail(error: unknown): void;
  everyMs?: number;
}

/** Reads the document, and again within a second after it or a secret file that it names has changed. */
export function createIdentitySource(options: IdentitySourceOptions): IdentitySource {
  const { file, events, onChange, fail, everyMs = 1_000 } = options;
  let identity = passwordsOnly;
  let seen = '';
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function look(path: string): Promise<void> {
    const mark = await fileMark(path);
    const marks = [mark, ...(await marksOf(identity.files))].join();
    if (marks === seen) return;
    seen = marks;
    const before = identity;
    identity = await readIdentity(path);
    onChange?.(before, identity);
    seen = [mark, ...(await marksOf(identity.files))].join();
    events.identityLoaded(path);
  }

  function plan(path: string): void {
    timer = setTimeout(() => void lookAgain(path), everyMs);
  }

  async function lookAgain(path: string): Promise<void> {
    await look(path).catch((error: unknown) => {
      if (error instanceof FileError) events.identityRefused(error);
      else fail(error);
    });
    if (!stopped) plan(path);
  }

  return {
    current: () => identity,
    async start() {
      if (file === undefined) return;
      await look(file).catch(stopStart);
      plan(file);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function stopStart(error: unknown): never {
  throw error instanceof FileError ? new StartError(error.message, { cause: error }) : error;
}

const marksOf = (files: readonly string[]): Promise<string[]> => Promise.all(files.map(fileMark));
