import { createPools } from '@tallyport/outbound';
import { createNetwork } from '../credentials/network.ts';
import type { Target } from '../targets/targets.ts';
import { sendGet } from './send-get.ts';

/** A model as its server lists it. */
export interface ListedModel {
  name: string;
  /** Unix seconds. */
  created?: number;
  contextLength?: number;
}

export interface ModelLister {
  /**
   * Returns the models of `GET <base>/models`, sorted by name. Throws if the server returns no list before the
   * deadline.
   */
  list(target: Target): Promise<readonly ListedModel[]>;
  /** Aborts the requests in progress. */
  close(): Promise<void>;
}

interface ListerLimits {
  deadlineMs: number;
  maxBytes: number;
  mostModels: number;
}

const usualLimits: ListerLimits = { deadlineMs: 5_000, maxBytes: 4 * 1024 * 1024, mostModels: 1_000 };

/** Lists the models of servers with an OpenAI-compatible API. */
export function createModelLister({ deadlineMs, maxBytes, mostModels } = usualLimits): ModelLister {
  const pools = createPools({ connectMs: deadlineMs });
  const network = createNetwork(pools, { deadlineMs, maxBytes });
  return {
    async list(target) {
      const { status, text } = await sendGet(target, { path: '/models' }, network);
      if (status !== 200) throw new Error(`GET /models returned status ${status}`);
      return readList(text).slice(0, mostModels);
    },
    close: () => pools.close(),
  };
}

function readList(text: string): ListedModel[] {
  const parsed: unknown = JSON.parse(text);
  if (!isMembers(parsed) || !Array.isArray(parsed['data']))
    throw new Error('GET /models did not return a list of models');
  const models = parsed['data'].filter(isMembers).flatMap(readModel);
  const byName = new Map(models.map((model) => [model.name, model]));
  return [...byName.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** Printable, and short enough for ids, headers and labels. */
const isName = /^[\x21-\x7e]{1,150}$/;

function readModel({ id, created, max_model_len, context_length }: Members): ListedModel[] {
  if (typeof id !== 'string' || !isName.test(id)) return [];
  const contextLength = positive(max_model_len) ?? positive(context_length);
  const since = positive(created);
  return [{ name: id, ...(since && { created: since }), ...(contextLength && { contextLength }) }];
}

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
