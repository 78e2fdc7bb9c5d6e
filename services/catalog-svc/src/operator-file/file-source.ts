import type { CatalogueKeeper } from '../catalogue-keeper.ts';
import type { CatalogEvents } from '../events.ts';
import { OperatorFileError } from './read-operator-file.ts';
import { type OperatorFileOptions, watchOperatorFile } from './watch-operator-file.ts';

export interface FileSource {
  /** Throws OperatorFileError: at the start there is no last good file. */
  start(): Promise<void>;
  stop(): void;
}

export interface FileSourceOptions extends Pick<OperatorFileOptions, 'file' | 'required'> {
  keeper: CatalogueKeeper;
  events: CatalogEvents;
  /** For what no other file mends. */
  fail(error: unknown): void;
  everyMs?: number;
}

/** The operator's file and the calendar, looked at once a second. */
export function createFileSource({
  keeper,
  events,
  fail,
  file,
  required,
  everyMs = 1_000,
}: FileSourceOptions): FileSource {
  const watch = watchOperatorFile({ file, required, take: keeper.setOperatorLayer });
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function look(): Promise<void> {
    if (await watch.look()) events.operatorFileTaken(file);
  }

  async function lookAgain(): Promise<void> {
    keeper.timePassed();
    await look().catch((error: unknown) => {
      if (error instanceof OperatorFileError) events.operatorFileRefused(error);
      else fail(error);
    });
    plan();
  }

  function plan(): void {
    if (!stopped) timer = setTimeout(() => void lookAgain(), everyMs);
  }

  return {
    async start() {
      await look();
      plan();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
