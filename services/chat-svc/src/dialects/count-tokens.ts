import type { ExchangeAnswer, ExchangeHandler } from '@tallyport/bus';
import { GatewayError, type RequestHead } from '@tallyport/contracts';
import type { TokenCount } from '@tallyport/dialects';
import { type VendorCount, type CountJob, resolveModel, type PromptCounter } from '@tallyport/dispatch';
import { estimatePrompt } from '@tallyport/pricing';
import { askedModels, type RouteGround } from '@tallyport/serving';
import type { CompleteTools } from '../complete.ts';
import { chatRoutes } from '../named-routes/chat-routes.ts';
import { type ReadRequest, withModel } from '../read-request.ts';
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
    return inOwnWords(answerCount(tools, { head: exchange.head, call, answer: count.answer }), words, call);
  };

interface CountQuestion {
  head: RequestHead;
  call: ReadCall;
  answer(tokens: number): object;
}

export async function answerCount(tools: CountTools, { head, call, answer }: CountQuestion): Promise<ExchangeAnswer> {
  const read = chatOfCall(call);
  const job = await planCount(tools, head, read);
  const counted: VendorCount | undefined = job && (await tools.counter.count(job));
  const document = counted?.document ?? answer(counted?.tokens ?? estimatePrompt(read.request));
  const { head: answerHead, body } = jsonAnswer(document);
  const headers = { ...answerHead.headers, [countHeader]: counted === undefined ? 'estimate' : 'vendor' };
  return { head: { ...answerHead, headers }, body };
}

/** `undefined` if no provider could be asked. Throws if the caller must not use the model, or nothing can express it. */
async function planCount(tools: CountTools, head: RequestHead, named: ReadRequest): Promise<CountJob | undefined> {
  const { models } = await askedModels([named.request.model], chatRoutes(tools, head, named));
  const { request, native, untranslatable } = models[0] === undefined ? named : withModel(named, models[0].model);
  const { model } = resolveModel(request.model, tools.index());
  if (isImageOnly(model)) return undefined;
  const ground = await tools.groundFor(head.principal);
  try {
    const question = {
      head,
      request,
      native,
      untranslatable,
      model,
      chatTargets: tools.chatTargets,
      cachedAt: undefined,
    };
    const plan = planTextChat(question, tools.imageTargets, ground);
    const conversation = { accountId: head.principal?.accountId, plan, request };
    return { plan, request, native, signatures: await tools.signatures.recall(conversation) };
  } catch (thrown) {
    if (thrown !== untranslatable && isUnavailable(thrown)) return undefined;
    throw thrown;
  }
}

/** A model that no provider serves now, or not with these members, still has an estimate. */
const isUnavailable = (thrown: unknown): boolean =>
  thrown instanceof GatewayError &&
  ['context_length_exceeded', 'invalid_parameters', 'unsupported_capability'].includes(thrown.code);
