import { controlFrame, FrameKind } from './frame.ts';
import type { Message, Mover } from './mover.ts';
import { checkToken, directInstance, directOf, inboxInstance, inboxSubject, inboxToken, serviceOf } from './subject.ts';

const checkEveryMs = 100;
/** A replica that does not answer a check within this time hangs, or is too busy for more work. */
const answerWithinMs = 1_000;
/**
 * How long an answered check counts. The queue group picks at random, but checks are frequent enough to reach every
 * healthy replica in this time.
 */
const trustMs = 3_000;
/** When all checks of a service were answered for this long, none of its replicas hangs. */
const calmMs = 5_000;

interface Detour {
  /** The subject of its checks: any operation of the service. */
  operation: string;
  /** When each replica last answered. */
  answered: Map<string, number>;
  /** When a check or request last went unanswered. */
  missedAt: number;
  /**
   * Whether a check went unanswered. This means that a replica hangs: the broker sends nothing to one that has died.
   */
  hangs: boolean;
}

interface Check {
  detour: Detour;
  sentAt: number;
}

/**
 * While a replica of a service hangs, sends requests directly to replicas that answer, because the broker would keep
 * sending the hanging one its share. Checks through the queue group find the replicas that answer; the detour ends when
 * all do.
 */
export class Detours {
  readonly #mover: Mover;
  readonly #byService = new Map<string, Detour>();
  readonly #checks = new Map<string, Check>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(mover: Mover) {
    this.#mover = mover;
  }

  /** The subject to send a request to while a replica hangs; `undefined` means the queue group. */
  target(operation: string, avoid?: string): string | undefined {
    if (this.#byService.size === 0) return undefined;
    const detour = this.#byService.get(serviceOf(operation));
    if (!detour) return undefined;
    const trustedFrom = performance.now() - trustMs;
    const replicas = [...detour.answered].filter(([id, at]) => at >= trustedFrom && id !== avoid);
    const chosen = replicas[this.#count++ % replicas.length];
    return chosen && directOf(operation, chosen[0]);
  }

  /**
   * Whether an unconfirmed request was probably sent to a replica that hangs. A replica that died may have started it.
   */
  explainsSilence(operation: string): boolean {
    return this.#byService.get(serviceOf(operation))?.hangs ?? false;
  }

  /** Reports that a request was not confirmed; `sentTo` is the subject of the replica that it was sent to directly. */
  unconfirmed(operation: string, sentTo: string | undefined): void {
    const service = serviceOf(operation);
    const detour = this.#byService.get(service) ?? { operation, answered: new Map(), missedAt: 0, hangs: false };
    detour.missedAt = performance.now();
    if (sentTo !== undefined) detour.answered.delete(directInstance(sentTo));
    this.#byService.set(service, detour);
    this.#timer ??= setInterval(() => this.#sweep(), checkEveryMs).unref();
  }

  /** Reports that a replica no longer listens on its own subject: it is gone. */
  gone(operation: string, sentTo: string): void {
    this.#byService.get(serviceOf(operation))?.answered.delete(directInstance(sentTo));
  }

  /** Handles the answer to a check. */
  accept(message: Message): void {
    const token = inboxToken(message.subject);
    const check = this.#checks.get(token);
    this.#checks.delete(token);
    if (!check || message.unheard) return;
    check.detour.answered.set(inboxInstance(message.reply), performance.now());
  }

  /** Discards open checks: this process was disconnected or blocked, so silence says nothing about the replicas. */
  forgive(): void {
    this.#checks.clear();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#byService.clear();
    this.#checks.clear();
  }

  #sweep(): void {
    if (!this.#mover.connected()) return this.forgive();
    const now = performance.now();
    for (const [token, { detour, sentAt }] of this.#checks) {
      if (sentAt > now - answerWithinMs) break;
      this.#checks.delete(token);
      detour.missedAt = now;
      detour.hangs = true;
    }
    for (const [service, detour] of this.#byService) {
      if (now - detour.missedAt < calmMs) this.#check(detour, now);
      else this.#byService.delete(service);
    }
    if (this.#byService.size === 0) this.close();
  }

  #check(detour: Detour, now: number): void {
    const token = checkToken(this.#count++);
    this.#checks.set(token, { detour, sentAt: now });
    this.#mover.publish(detour.operation, controlFrame(FrameKind.ping), inboxSubject(this.#mover.id, token));
  }
}
