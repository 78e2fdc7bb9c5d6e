import type { Offer } from '@tallyport/contracts';
import { createPools } from '@tallyport/outbound';
import { createNetwork, type Network } from '../credentials/network.ts';
import { boundedMap } from '../standing/bounded-map.ts';
import { offerKey } from '../standing/standings.ts';
import { requestTo, sendFree } from '../targets/request-to.ts';
import type { Target, Targets } from '../targets/targets.ts';
import { type CountingQuestion, countingQuestion, type CountJob } from './counting-question.ts';

export interface VendorCount {
  tokens: number;
  /** The vendor's answer, if it has the form of the client's API. */
  document?: object;
}

export interface PromptCounter {
  /**
   * Asks the first providers of the plan that count. `undefined` if none of them does, or none answers in time. Never
   * throws, and says nothing about the health of an offer: a vendor's models work where its counting does not.
   */
  count(job: CountJob): Promise<VendorCount | undefined>;
  close(): Promise<void>;
}

interface PromptCounterLimits {
  /** For all providers together; a client waits for it before it sends its request. */
  deadlineMs: number;
  maxBytes: number;
  /** How long a count is kept. */
  keptMs: number;
  /** How long an offer that does not count is not asked again. */
  silentMs: number;
}

const usualLimits: PromptCounterLimits = { deadlineMs: 2_000, maxBytes: 64 * 1024, keptMs: 600_000, silentMs: 60_000 };
const mostKept = 2_000;
const mostOffers = 2;
const mostKeys = 2;

interface PromptCounterTools {
  targets: Pick<Targets, 'all'>;
}

export function createPromptCounter({ targets }: PromptCounterTools, limits = usualLimits): PromptCounter {
  const now = () => performance.now();
  const pools = createPools({ connectMs: limits.deadlineMs });
  const kept = boundedMap<{ counted: VendorCount; until: number }>(mostKept);
  const silent = boundedMap<number>(mostKept);

  async function ask({ plan }: CountJob, offer: Offer, asking: Asking): Promise<VendorCount | undefined> {
    const { question, isLate } = asking;
    const found = kept.get(question.key);
    if (found !== undefined && found.until > now()) return found.counted;
    const usable = (plan.account ?? targets).all(offer.providerId).filter((each) => !isSilent(offer, each));
    for (const target of usable.slice(0, mostKeys)) {
      const counted = await askWith(target, offer, asking);
      if (counted !== undefined) {
        kept.set(question.key, { counted, until: now() + limits.keptMs });
        return counted;
      }
      if (isLate()) return undefined;
    }
    return undefined;
  }

  async function askWith(target: Target, offer: Offer, { question, leftMs }: Asking): Promise<VendorCount | undefined> {
    const network = createNetwork(pools, { ...limits, deadlineMs: leftMs() });
    const answer = await answerOf(target, offer, { question, network });
    if (answer === undefined || lacksEndpoint(answer.status))
      silent.set(silentKey(offer, target), now() + limits.silentMs);
    return answer?.status === 200 ? readCount(answer.text, question) : undefined;
  }

  const isSilent = (offer: Offer, target: Target): boolean => (silent.get(silentKey(offer, target)) ?? 0) > now();

  return {
    async count(job) {
      const until = now() + limits.deadlineMs;
      const leftMs = () => until - now();
      // What is asked then has half of the time at least, so that only a vendor that hangs is left alone for it.
      const isLate = () => leftMs() < limits.deadlineMs / 2;
      let asked = 0;
      for (const { offer } of job.plan.candidates) {
        const question = questionOr(job, offer);
        if (question === undefined) continue;
        const counted = await ask(job, offer, { question, leftMs, isLate });
        asked += 1;
        if (counted !== undefined || asked === mostOffers || isLate()) return counted;
      }
      return undefined;
    },
    close: () => pools.close(),
  };
}

/** A question, within the time for all providers. */
interface Asking {
  question: CountingQuestion;
  leftMs(): number;
  isLate(): boolean;
}

const silentKey = (offer: Offer, { ownKeyId = '' }: Target): string => `${offerKey(offer)} ${ownKeyId}`;

/** A request that an adapter refuses gets its error when it is sent. */
function questionOr(job: CountJob, offer: Offer): CountingQuestion | undefined {
  try {
    return countingQuestion(job, offer);
  } catch {
    return undefined;
  }
}

/** Another server at the vendor's address, or a vendor that no longer counts, answers so. */
const lacksEndpoint = (status: number): boolean => [404, 405, 410, 501].includes(status) || status >= 500;

/** `undefined` if the connection failed or the deadline passed: the estimate is the answer to every failure. */
async function answerOf(
  target: Target,
  offer: Offer,
  { question: { request }, network }: { question: CountingQuestion; network: Network },
): Promise<{ status: number; text: string } | undefined> {
  try {
    return await sendFree(target, requestTo(target, request, offer), network);
  } catch {
    return undefined;
  }
}

function readCount(text: string, { counting, isNative }: CountingQuestion): VendorCount | undefined {
  const answer = parsedObject(text);
  const tokens = answer && counting.tokens(answer);
  if (answer === undefined || tokens === undefined) return undefined;
  return { tokens, ...(isNative && counting.answersClients && { document: answer }) };
}

function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
