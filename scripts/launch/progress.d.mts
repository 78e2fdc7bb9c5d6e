export interface Progress {
  during<Result>(title: string, work: () => Promise<Result>): Promise<Result>;
}

export function createProgress(stream: NodeJS.WriteStream): Progress;
