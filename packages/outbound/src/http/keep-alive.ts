/** How long idle connections to one origin may be used again. */
interface KeepAlive {
  /** The longest idle time after which a connection is used for a request. */
  usableMs(): number;
  /** The `keep-alive` header of an answer, if it had one. */
  announced(header: string | undefined): void;
  /** A connection was still open after this idle time. */
  seenOpen(idleMs: number): void;
  /** The server closed a connection after this idle time. */
  seenClosed(idleMs: number): void;
}

interface KeepAliveLimits {
  /** Used until more is known. */
  unknownMs: number;
  /** No connection is kept longer. */
  mostMs: number;
}

/** Before the time that a server has announced: both sides count from different moments. */
const announcedMarginMs = 1_000;
/** Of the idle time after which a server closed: the rest is a margin. */
const safeShare = 0.9;
/** A connection that stays open this much longer than others shows that those were closed for another reason. */
const contradictingShare = 1.1;

/** Learns from what a server says and does. `seenOpen` and `seenClosed` are about idle connections. */
export function createKeepAlive({ unknownMs, mostMs }: KeepAliveLimits): KeepAlive {
  let announcedMs: number | undefined;
  let openMs = 0;
  let closedMs = Infinity;
  return {
    usableMs() {
      if (announcedMs !== undefined) return Math.min(announcedMs, closedMs * safeShare, mostMs);
      return Math.min(closedMs * safeShare, Math.max(unknownMs, openMs), mostMs);
    },
    announced(header) {
      announcedMs = header === undefined ? undefined : announcedTime(header);
    },
    seenOpen(idleMs) {
      openMs = Math.max(openMs, idleMs);
      if (idleMs > closedMs * contradictingShare) closedMs = Infinity;
    },
    seenClosed(idleMs) {
      openMs = Math.min(openMs, idleMs);
      closedMs = Math.min(closedMs, idleMs);
    },
  };
}

function announcedTime(header: string): number | undefined {
  const [, seconds] = /(?:^|[\s,;])timeout\s*=\s*"?(\d{1,9})/i.exec(header) ?? [];
  if (seconds === undefined) return undefined;
  const ms = Number(seconds) * 1_000;
  return Math.max(ms - announcedMarginMs, ms / 2);
}
