/** Limits the commands, and their bytes in memory, that wait for a slow server. */
interface QueueLimit {
  /** Rejects at once when there is no room. Room is freed when the work settles, not when its caller gives up. */
  admit<Result>(bytes: number, work: () => Promise<Result>): Promise<Result>;
}

const defaultLimits = { mostBytes: 64 * 1024 * 1024, mostCommands: 10_000 };

export function createQueueLimit({ mostBytes, mostCommands } = defaultLimits): QueueLimit {
  let bytesWaiting = 0;
  let commandsWaiting = 0;
  return {
    async admit(bytes, work) {
      if (commandsWaiting >= mostCommands || bytesWaiting + bytes > mostBytes) throw new Error('The queue is full');
      const settled = work();
      bytesWaiting += bytes;
      commandsWaiting += 1;
      const leave = () => {
        bytesWaiting -= bytes;
        commandsWaiting -= 1;
      };
      settled.then(leave, leave);
      return settled;
    },
  };
}
