import type { CatalogueKeeper } from '../catalogue-keeper.ts';
import type { CatalogEvents } from '../events.ts';
import { FileError } from '@tallyport/wire/yaml';
import { type OperatorFileOptions, watchOperatorFile } from './watch-operator-file.ts';

export interface FileSource {
  /** Throws FileError if the file is invalid, because there is no previous version at the start. */
  start(): Promise<void>;
  stop(): void;
}

interface FileSourceOptions extends Pick<OperatorFileOptions, 'file' | 'required'> {
  keeper: CatalogueKeeper;
  events: CatalogEvents;
  /** Called for errors that another file cannot fix. */
  fail(error: unknown): void;
  everyMs?: number;
}

/** Checks the operator's file and the dates of the catalogue once a second. */
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
    if (await watch.look()) events.operatorFileLoaded(file);
  }

  async function lookAgain(): Promise<void> {
    keeper.checkDates();
    await look().catch((error: unknown) => {
      if (error instanceof FileError) events.operatorFileRefused(error);
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
