export function withLock<Result>(path: string, step: () => Promise<Result>): Promise<Result>;
