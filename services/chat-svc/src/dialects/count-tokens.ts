import type { ExchangeAnswer, ExchangeHandler } from '@tallyport/bus';
import { GatewayError, type RequestHead } from '@tallyport/contracts';
import type { TokenCount } from '@tallyport/dialects';
import {
  type VendorCount,
  type CountJob,
  type PlanGround,
  resolveModel,
  type PromptCounter,
} from '@tallyport/dispatch';
import { estimatePrompt } from '@tallyport/pricing';
import { askedModels, type AskedRouting, planEach, type RouteGround } from '@tallyport/serving';
import type { CompleteTools } from '../complete.ts';
import { chatRoutes } from '../named-routes/chat-routes.ts';
import { endUserOfChat, type ReadRequest, withModel, withSuffixRead } from '../read-request.ts';
import { isImageOnly } from '../images/is-image-only.ts';
import { planTextChat } from '../planning.ts';
import { jsonAnswer } from '../answer/json-answer.ts';
import { inOwnWords } from './own-words.ts';
import { chatOfCall, type DialectTools, type ReadCall, readRequest } from './speak-dialect.ts';

export interface CountTools
  extends
    RouteGround,
    Pick<DialectTools, 'budget' | 'maxBodyBytes'>,
    Pick<CompleteTools, 'chatTargets' | 'groundFor' | 'imageTargets' | 'index' | 'signatures'> {
  counter: PromptCounter;
}

/** `vendor` if the vendor of the model has counted the tokens; `estimate` if the gateway has. */
const countHeader = 'x-tallyport-count';

/** Counts the tokens of a prompt without a chat: at the vendor if it can, else by an estimate. Nothing is billed. */
export const countTokens =
  (count: TokenCount, tools: CountTools): ExchangeHandler =>
  async (exchange) => {
    const request = await readRequest(exchange, tools);
    const call = count.read(request);
    const words = { memberNames: count.memberNames, body: request.body };
    const { name: api, answer } = count;
    const question = { head: exchange.head, api, call, routing: request, answer };
    return inOwnWords(answerCount(tools, question), words, call);
  };

interface CountQuestion {
  head: RequestHead;
  /** The API whose prompt is counted. */
  api: string;
  call: ReadCall;
  routing: Pick<AskedRouting, 'standIns' | 'preferences'>;
  answer(tokens: number): object;
}

export async function answerCount(
  tools: CountTools,
  { head, api, call, routing: { standIns, preferences }, answer }: CountQuestion,
): Promise<ExchangeAnswer> {
  const read: ReadRequest = { ...chatOfCall(call), api, standIns, preferences };
  const job = await planCount(tools, head, read);
  const counted: VendorCount | undefined = job && (await tools.counter.count(job));
  const document = counted?.document ?? answer(counted?.tokens ?? estimatePrompt(read.request));
  const { head: answerHead, body } = jsonAnswer(document);
  const headers = { ...answerHead.headers, [countHeader]: counted === undefined ? 'estimate' : 'vendor' };
  return { head: { ...answerHead, headers }, body };
}

/**
 * Plans the chat whose prompt is counted, for the model that would answer first. `undefined` if no provider could be asked.
 * Throws if the caller must not use any of its models, or nothing can express it.
 */
async function planCount(tools: CountTools, head: RequestHead, read: ReadRequest): Promise<CountJob | undefined> {
  const { standIns = [], preferences, untranslatable } = read;
  // What costs nothing asks no decision model.
  const { routes, budgetLeft } = tools;
  const resolving = chatRoutes({ routes, budgetLeft }, { head }, read);
  const { models } = await askedModels([read.request.model, ...standIns], resolving);
  const ground = await tools.groundFor(head.principal);
  try {
    const { own } = await planEach(models, {
      planWith: async ({ model }) => planModel(tools, { head, named: withModel(read, model), ground }),
      planOf: ({ plan }) => plan,
      preferences,
    });
    const conversation = { principal: head.principal, endUser: () => endUserOfChat(head, read), ...own };
    return { ...own, signatures: await tools.signatures.recall(conversation) };
  } catch (thrown) {
    if (thrown !== untranslatable && isUnavailable(thrown)) return undefined;
    throw thrown;
  }
}

interface NamedCount {
  head: RequestHead;
  named: ReadRequest;
  ground: PlanGround;
}

function planModel({ index, chatTargets, imageTargets }: CountTools, { head, named, ground }: NamedCount): CountJob {
  const { request, native, untranslatable, preferences } = withSuffixRead(named, index());
  const { model } = resolveModel(request.model, index());
  if (isImageOnly(model)) throw new GatewayError('unsupported_capability', 'The model has no tokens to count.');
  const question = { head, request, native, untranslatable, model, chatTargets, preferences, cachedAt: undefined };
  return { plan: planTextChat(question, imageTargets, ground), request, native };
}

/** A model that no provider serves now, or not with these members, still has an estimate. */
const isUnavailable = (thrown: unknown): boolean =>
  thrown instanceof GatewayError &&
  ['context_length_exceeded', 'invalid_parameters', 'unsupported_capability'].includes(thrown.code);
