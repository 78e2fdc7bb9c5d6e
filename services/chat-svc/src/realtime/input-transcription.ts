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

interface TranscriptionOptions {
  /** Throws if the caller may not use the model, or if its price is not known. */
  find(model: string): Promise<Transcriber>;
  opened: Pick<RequestOutcome, 'attempts' | 'routes' | 'ownKey'>;
}

/** What the vendor writes down besides its responses, billed by the prices of another model. */
export class InputTranscription {
  readonly #options: TranscriptionOptions;
  /** By their models: what an earlier one was asked for may be reported late. */
  readonly #known = new Map<string, Transcriber>();
  #current: Transcriber | undefined;

  constructor(options: TranscriptionOptions) {
    this.#options = options;
  }

  /** `undefined` changes nothing, and `null` ends it. */
  async choose(model: string | null | undefined): Promise<void> {
    if (model === undefined) return;
    if (model === null) return void (this.#current = undefined);
    const known = this.#known.get(model);
    if (known === undefined && this.#known.size >= mostModels) throw tooMany();
    const found = known ?? (await this.#options.find(model));
    this.#known.set(model, found);
    this.#current = found;
  }

  /** Resolves with the refusal if a limit or a budget does not allow it. */
  async hold(): Promise<GatewayError | undefined> {
    return this.#current?.money.ensure(1);
  }

  done({ seconds, tokens }: TranscribedUse): void {
    const transcriber = this.#current ?? [...this.#known.values()].at(-1);
    if (transcriber === undefined) return;
    const { offer, plan, money } = transcriber;
    const { ownKey } = this.#options.opened;
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

  release(): void {
    for (const { money } of this.#known.values()) money.release();
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

const tooMany = (): GatewayError =>
  new GatewayError('invalid_parameters', `A session has at most ${mostModels} transcription models.`);
