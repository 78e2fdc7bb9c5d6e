import { createDetailFold } from '@tallyport/wire';
import { sealState } from './sealed-state.ts';

/** What vendors want back and the client does not have yet. */
export function createStateKeeper() {
  let details = createDetailFold();
  let extras: Record<string, Record<string, unknown>> = {};

  return {
    detail: (piece: unknown) => details.add(piece),
    extra(id: string, extra: Record<string, unknown>) {
      extras[id] = { ...extras[id], ...extra };
    },
    take(): string | undefined {
      const kept = { details: details.whole(), extras };
      if (kept.details.length === 0 && Object.keys(extras).length === 0) return undefined;
      details = createDetailFold();
      extras = {};
      return sealState(kept);
    },
  };
}
