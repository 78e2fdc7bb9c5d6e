import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A streamed chat of the neighbour. */
export interface Chat {
  /** Time to the first content. */
  firstMs: number;
  /** Time to the end. */
  wholeMs: number;
  /** `done`, or what it got instead. */
  result: string;
}

export interface Neighbour {
  /** Chats 20 times a second while `work` runs. */
  during(work: () => Promise<unknown>): Promise<Chat[]>;
  stop(): void;
}

export function startNeighbour(baseUrl: string, apiKey: string): Neighbour {
  const child = fork(join(import.meta.dirname, 'chats.ts'), [baseUrl, apiKey]);
  return {
    async during(work) {
      child.send('begin');
      const answered = once(child, 'message') as Promise<[Chat[]]>;
      await work().finally(() => child.send('end'));
      return (await answered)[0];
    },
    stop: () => void child.kill(),
  };
}
