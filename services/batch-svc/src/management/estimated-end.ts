interface Progress {
  total: number;
  /** Lines that have ended. */
  ended: number;
  startedAt: Date;
  expiresAt: Date;
}

/** When all lines will have ended, at the pace so far; `undefined` before one has. */
export function estimatedEnd({ total, ended, startedAt, expiresAt }: Progress, now: Date): Date | undefined {
  if (ended === 0) return undefined;
  const perLineMs = (now.getTime() - startedAt.getTime()) / ended;
  return new Date(Math.min(now.getTime() + perLineMs * (total - ended), expiresAt.getTime()));
}
