import { join } from 'node:path';
import { createSpill, type Spill, type SpillOptions } from './spill.ts';

/** Spills records into a folder per installation, because several installations may share a host. */
export interface InstallationSpill extends Spill {
  /** Whether the installation is known; nothing is written before that. */
  isReady(): boolean;
  /** Stops retrying. */
  stop(): void;
}

interface InstallationSpillOptions extends SpillOptions {
  /** Resolves with the unique id of this installation. Rejects while it is unknown. */
  readInstallation(): Promise<string>;
  retryMs?: number;
}

const notKnown = 'the installation of these records is not known yet';

export function createInstallationSpill(options: InstallationSpillOptions): InstallationSpill {
  const { readInstallation, directory, retryMs = 1_000 } = options;
  let spill: Spill | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function ask(): void {
    readInstallation().then(
      (id) => (spill = createSpill({ ...options, directory: join(directory, id) })),
      () => {
        if (!isStopped) timer = setTimeout(ask, retryMs);
      },
    );
  }

  ask();
  return {
    add: (record) => spill?.add(record) ?? Promise.reject(new Error(notKnown)),
    replay: async (give) => spill?.replay(give),
    isEmpty: () => spill?.isEmpty() ?? true,
    bytes: () => spill?.bytes() ?? 0,
    isReady: () => spill !== undefined,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
