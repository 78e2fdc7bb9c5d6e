/** What a part of the tests reports while it runs. */
export type TestEvent = { kind: 'files'; count: number } | { kind: 'began' | 'ended'; file: string };

interface Part {
  name: string;
  files: number;
  ended: number;
  /** When each file that runs began. */
  running: Map<string, number>;
}

/** What the parts of a run have done so far. Times are in milliseconds and begin with the run. */
export interface Progress {
  part(name: string): (event: TestEvent) => void;
  /** One line: how many files of each part have ended, and the file that runs longest. */
  line(): string;
  /** The files that took longest, a line each. */
  slowest(count: number): string[];
}

/** Files that take less are not worth a word while they run. */
const slowMs = 10_000;

export function createProgress(now: () => number): Progress {
  const parts: Part[] = [];
  const durations = new Map<string, number>();
  return {
    part(name) {
      const part: Part = { name, files: 0, ended: 0, running: new Map() };
      parts.push(part);
      return (event) => {
        if (event.kind === 'files') part.files = event.count;
        else if (event.kind === 'began') part.running.set(event.file, now());
        else {
          durations.set(event.file, now() - (part.running.get(event.file) ?? now()));
          part.running.delete(event.file);
          part.ended += 1;
        }
      };
    },
    line() {
      const counts = parts.map(({ name, ended, files }) => `${name} ${ended} of ${files || '…'}`);
      const [slow] = longest(parts.flatMap(({ running }) => [...running].map(([file, at]) => [file, now() - at])));
      const isSlow = slow !== undefined && slow[1] >= slowMs;
      return `${clock(now())}  files: ${counts.join(', ')}${isSlow ? `; ${slow[0]} runs for ${clock(slow[1])}` : ''}`;
    },
    slowest: (count) => longest([...durations]).slice(0, count).map(([file, ms]) => `${clock(ms)}  ${file}`), // prettier-ignore
  };
}

const longest = (files: [string, number][]): [string, number][] => files.toSorted((a, b) => b[1] - a[1]);

/** `1:05` for 65 seconds. */
const clock = (ms: number): string => {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
