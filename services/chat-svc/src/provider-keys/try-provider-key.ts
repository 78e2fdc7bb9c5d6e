import { randomUUID } from 'node:crypto';
import { GatewayError, type Model, type ProviderKeyTest, type ProviderKeyTestResult } from '@tallyport/contracts';
import {
  accountTargets,
  type ChatOutcome,
  type Dispatch,
  needsOf,
  planChat,
  type PlanGround,
  type Targets,
  unsupportedByOffer,
} from '@tallyport/dispatch';
import type { ChatRequest } from '@tallyport/wire';
import { cheapestModels } from './cheapest-models.ts';
import { keyProblem } from './key-problem.ts';

interface KeyTestTools {
  dispatch: Pick<Dispatch, 'complete'>;
  targets: Pick<Targets, 'all' | 'obstacle' | 'withOwnKey'>;
  /** Throws `unavailable` until there is a catalogue. */
  ground(): PlanGround;
}

const deadlineMs = 15_000;
/** A key may have no access to the cheapest model. */
const mostModels = 3;
/** The least that every vendor accepts. */
const maxTokens = 16;

/** Sends the cheapest models of the provider a question of a few tokens, with this key only, until one answers. */
export async function tryProviderKey(tools: KeyTestTools, test: ProviderKeyTest): Promise<ProviderKeyTestResult> {
  const { provider, key } = test;
  const startedAt = performance.now();
  const account = accountTargets(tools.targets, { mode: 'own_only', keys: [{ id: 'tested', provider, key }] });
  const ground = { ...tools.ground(), account };
  const obstacle = account.obstacle(provider);
  const offered = { models: ground.index.models(), now: ground.now };
  const signal = AbortSignal.timeout(deadlineMs);
  let result: Result = notTestable(obstacle === undefined ? 'it has no chat model in the catalogue' : obstacle);
  for (const model of obstacle === undefined ? cheapestModels(offered, provider).slice(0, mostModels) : []) {
    result = await callOnce(tools.dispatch, { provider, model, ground, signal });
    if (result.problem !== 'model_not_found') break;
  }
  return { ...result, durationMs: Math.round(performance.now() - startedAt) };
}

type Result = Omit<ProviderKeyTestResult, 'durationMs'>;

const notTestable = (reason: string): Result => ({
  ok: false,
  problem: 'not_testable',
  message: `The key was not tested: ${reason}.`,
});

interface TestCall {
  provider: string;
  model: Model;
  ground: PlanGround;
  signal: AbortSignal;
}

async function callOnce(
  dispatch: KeyTestTools['dispatch'],
  { provider, model: { id: model }, ground, signal }: TestCall,
): Promise<Result> {
  const request: ChatRequest = {
    model: `${provider}/${model}`,
    messages: [{ role: 'user', content: 'Say ok.' }],
    max_tokens: maxTokens,
  };
  let outcome: ChatOutcome | undefined;
  try {
    const plan = planChat(
      {
        model: request.model,
        needs: needsOf(request),
        unsupported: unsupportedByOffer({ request, stream: false }),
        fallback: 'never',
      },
      ground,
    );
    await dispatch.complete({
      call: { request, stream: false },
      plan,
      signal,
      completionId: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
      created: Math.floor(Date.now() / 1000),
      onOutcome: (ended) => void (outcome = ended),
    });
    return { ok: true, message: `The key works: ${model} answered.`, model };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (signal.aborted) return keyProblem('provider_timeout', { provider, model });
    const type = outcome?.attempts.at(-1)?.error_type;
    return type === undefined || type === 'none' ? notTestable(error.message) : keyProblem(type, { provider, model });
  }
}
