import { GatewayError, type Offer } from '@tallyport/contracts';
import type { AttemptRecord, Plan, RequestOutcome } from '@tallyport/dispatch';
import { useOfTranscription } from '@tallyport/pricing';
import { audioSettlement } from '@tallyport/serving/metering';
import type { HeldMoney } from './held-money.ts';
import type { TranscribedUse } from './server-event.ts';

/** A model of the session's vendor that writes down what clients say. */
export interface Transcriber {
  plan: Plan;
  offer: Offer;
  money: HeldMoney;
}

interface KnownTranscriber extends Transcriber {
  /** As the vendor reports them. */
  seconds: number;
}

interface TranscriptionOptions {
  /** That of a session that only transcribes: it was opened by its plan. */
  first: Transcriber | undefined;
  /** No other one may be chosen. */
  isOnly: boolean;
  /** Throws if the caller may not use the model, or if its price is not known. */
  find(model: string): Promise<Transcriber>;
  opened: Pick<RequestOutcome, 'attempts' | 'routes' | 'ownKey'>;
}

/** What the vendor writes down besides its responses, billed by the prices of another model. */
export class InputTranscription {
  readonly #options: TranscriptionOptions;
  readonly #known = new Map<string, KnownTranscriber>();
  /** By the client. */
  #chosen: KnownTranscriber | undefined;
  /** By the vendor's last word about it: what was chosen since may be refused. Absent before its first one. */
  #used: KnownTranscriber | null | undefined;
  /** What writes down which item, by the time when it was committed. */
  readonly #pending = new Map<string, KnownTranscriber>();
  /** Items that are written down: a vendor that repeats a transcript is not paid again. */
  readonly #ended = new Set<string>();
  /** The client has committed them, and the vendor has not said so. */
  #uncommitted = 0;

  constructor(options: TranscriptionOptions) {
    this.#options = options;
    const { first } = options;
    if (first !== undefined) this.#known.set(first.offer.modelName, { ...first, seconds: 0 });
  }

  get isChosen(): boolean {
    return this.#chosen !== undefined;
  }

  /** `undefined` changes nothing, and `null` ends it. */
  async choose(model: string | null | undefined): Promise<void> {
    if (model === undefined) return;
    if (model === null) return void (this.#chosen = undefined);
    const known = this.#known.get(model);
    if (known === undefined && this.#options.isOnly) throw otherModel([...this.#known.keys()]);
    if (known === undefined && this.#known.size >= mostModels) throw tooMany();
    const found = known ?? { ...(await this.#options.find(model)), seconds: 0 };
    this.#known.set(model, found);
    this.#chosen = found;
  }

  /** Before audio is passed on. Resolves with the refusal if a limit or a budget does not allow it. */
  async hold(): Promise<GatewayError | undefined> {
    for (const transcriber of this.#known.values()) {
      const count = this.#wanted(transcriber);
      const refusal = transcriber.money.lacks(count) ? await transcriber.money.ensure(count) : undefined;
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  /** Whether the vendor still has audio to write down. */
  get isOwed(): boolean {
    return this.#pending.size > 0 || this.#uncommitted > 0;
  }

  /** The client has ended an item of audio. */
  commit(): void {
    if (this.#current !== undefined) this.#uncommitted += 1;
  }

  /** The vendor has refused something, perhaps an item. */
  refused(): void {
    this.#uncommitted = Math.max(0, this.#uncommitted - 1);
  }

  /** The vendor uses this model from here on. */
  used(model: string | null | undefined): void {
    if (model === undefined) return;
    this.#used = model === null ? null : (this.#known.get(model) ?? this.#chosen);
  }

  committed(item: string): void {
    this.#uncommitted = Math.max(0, this.#uncommitted - 1);
    const transcriber = this.#current;
    if (transcriber === undefined || this.#pending.has(item) || this.#ended.has(item)) return;
    this.#pending.set(item, transcriber);
    if (this.#pending.size > mostPending) this.#pending.delete(firstOf(this.#pending));
  }

  failed(item: string): void {
    this.#pending.delete(item);
  }

  done(item: string, use: TranscribedUse): void {
    if (this.#ended.has(item)) return;
    const transcriber = this.#pending.get(item) ?? this.#current ?? [...this.#known.values()].at(-1);
    this.#pending.delete(item);
    this.#ended.add(item);
    if (this.#ended.size > mostEnded) this.#ended.delete(firstOf(this.#ended));
    if (transcriber !== undefined) this.#settle(transcriber, use);
  }

  /** As `HeldMoney` does. */
  recorded(): Promise<unknown> | undefined {
    const unwritten = [...this.#known.values()].flatMap(({ money }) => money.recorded() ?? []);
    return unwritten.length === 0 ? undefined : Promise.all(unwritten);
  }

  release(): void {
    for (const { money } of this.#known.values()) money.release();
  }

  get #current(): KnownTranscriber | undefined {
    return this.#used === undefined ? this.#chosen : (this.#used ?? undefined);
  }

  /** One for each item that it writes down, and for the next ones if it may get them. */
  #wanted(transcriber: Transcriber): number {
    const items = [...this.#pending.values()].filter((each) => each === transcriber).length;
    return transcriber === this.#chosen || transcriber === this.#used ? items + this.#uncommitted + 1 : items;
  }

  #settle(transcriber: KnownTranscriber, { seconds: added, tokens }: TranscribedUse): void {
    const { offer, plan, money } = transcriber;
    const { ownKey } = this.#options.opened;
    const seconds = added === undefined ? undefined : newSeconds(transcriber, added);
    const use = useOfTranscription({ file: Buffer.alloc(0), seconds, tokens }, offer);
    const outcome = {
      ...this.#call(plan),
      served: offer,
      ownKey,
      durationMs: 0,
      endReason: 'done',
      error: undefined,
    } as const;
    money.take().settle(audioSettlement({ ...outcome, use, firstContentMs: undefined }));
  }

  #call({ model }: Plan): Pick<RequestOutcome, 'attempts' | 'routes'> {
    const { attempts, routes } = this.#options.opened;
    const [attempt, route] = [attempts.at(-1), routes.at(-1)];
    if (attempt === undefined || route === undefined) return { attempts: [], routes: [] };
    const call: AttemptRecord = { ...attempt, model: model.id, duration_ms: 0 };
    return { attempts: [call], routes: [{ ...route, startMs: 0 }] };
  }
}

/** In one session. */
const mostModels = 4;
/** More than any vendor writes down at once. */
const mostPending = 64;
const mostEnded = 256;

function firstOf(items: ReadonlyMap<string, unknown> | ReadonlySet<string>): string {
  const [first = ''] = items.keys();
  return first;
}

/** Seconds are recorded whole. Those of a session are rounded up once, not for each of its items. */
function newSeconds(transcriber: KnownTranscriber, added: number): number {
  const before = Math.ceil(transcriber.seconds);
  transcriber.seconds += Math.max(0, added);
  return Math.ceil(transcriber.seconds) - before;
}

const otherModel = (models: readonly string[]): GatewayError =>
  new GatewayError('invalid_parameters', `This session transcribes with ${models.join(', ')} only.`, {
    param: 'session.audio.input.transcription.model',
  });

const tooMany = (): GatewayError =>
  new GatewayError('invalid_parameters', `A session has at most ${mostModels} transcription models.`);
