import { GatewayError } from '@tallyport/contracts';

interface LaneBounds {
  /** Lanes with work at the same time. */
  lanes: number;
  /** Work of all lanes together, running and waiting. */
  work: number;
}

/** Runs work in lanes: in its order within a lane, at the same time across lanes. */
interface Lanes {
  /** Throws beyond the bounds. `work` never rejects. */
  add(lane: string, work: () => Promise<void>): void;
  /** Resolves when no lane has work. */
  idle(): Promise<void>;
}

export function createLanes({ lanes: mostLanes, work: mostWork }: LaneBounds): Lanes {
  /** The end of the last work of each lane. */
  const ends = new Map<string, Promise<void>>();
  let count = 0;

  return {
    add(lane, work) {
      if (count >= mostWork) throw tooMuchWork(mostWork);
      if (!ends.has(lane) && ends.size >= mostLanes) throw tooManyLanes(mostLanes);
      count += 1;
      const end = (ends.get(lane) ?? Promise.resolve()).then(work).then(() => {
        count -= 1;
        if (ends.get(lane) === end) ends.delete(lane);
      });
      ends.set(lane, end);
    },
    async idle() {
      while (ends.size > 0) await Promise.all(ends.values());
    },
  };
}

const tooMuchWork = (most: number): GatewayError =>
  new GatewayError('rate_limit_exceeded', `This socket has ${most} responses running or waiting. Wait for some.`, {
    retryAfterMs: 1_000,
  });

const tooManyLanes = (most: number): GatewayError =>
  new GatewayError('rate_limit_exceeded', `This socket has ${most} lanes (stream_id) with work. Wait for one.`, {
    param: 'stream_id',
    retryAfterMs: 1_000,
  });
