import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import type { Principal, RequestHead } from '@tallyport/contracts';
import { askedFallback, type ChatOutcome, type Dispatch, needsOf, type Plan } from '@tallyport/dispatch';
import { planChat, type PlanGround } from '@tallyport/dispatch';
import { chatSettlement } from '../metering/index.ts';
import { estimateChat } from '@tallyport/pricing';
import { type ChatRequest, documentOf, encodeSse } from '@tallyport/wire';
import {
  type ApiForm,
  hitHeaders,
  jsonHeaders,
  offerOf,
  openAiAnswerForm,
  servePaid,
  type ServingTools,
  slicedAnswer,
} from '../index.ts';
import type { PaidAnswer, PaidRequest, RequestDraft, RequestEvents, RequestLife } from '../index.ts';

export interface SummaryTools extends ServingTools {
  dispatch: Dispatch;
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  events: RequestEvents<ChatOutcome>;
}

/** `POST /v1/summaries` with `{model, text, stream}`: an example that shows how small a billed endpoint can be. */
export const summarize = (tools: SummaryTools): ExchangeHandler =>
  servePaid(tools, {
    name: 'summary',
    operation: 'chat',
    events: tools.events,
    read: (exchange, draft) => readSummary(tools, exchange, draft),
  });

export async function readSummary(
  tools: SummaryTools,
  { head, body }: IncomingExchange,
  draft: RequestDraft = {},
): Promise<PaidRequest> {
  const startedAt = performance.now();
  const { model, text, stream } = JSON.parse(Buffer.from(await body.bytes(10_000)).toString());
  draft.model = model;
  const messages: ChatRequest['messages'] = [{ role: 'user', content: `Summarize: ${text}` }];
  const request: ChatRequest = { model, messages, stream, max_tokens: 100 };
  const fallback = askedFallback(head);
  const question = { model, needs: needsOf(request), principal: head.principal, fallback, streaming: stream };
  const plan = planChat(question, await tools.groundFor(head.principal));
  const planMs = performance.now() - startedAt;
  return {
    plan,
    planMs,
    stream,
    cache: {
      mode: 'plain',
      uncacheable: stream,
      counted: () => ({ text }),
      from({ body: kept, provider }) {
        const headers = { ...jsonHeaders, ...hitHeaders({ head, plan, offer: offerOf(plan, provider) }, planMs) };
        return slicedAnswer({ status: 200, headers }, [kept]);
      },
    },
    form: summaryForm,
    estimate: () => estimateChat(request),
    attempt: (life) => attemptSummary(tools, { head, plan, request }, life),
  };
}

/** The events have only the text. */
const summaryForm: ApiForm = {
  ...openAiAnswerForm,
  stream: () => ({
    ...openAiAnswerForm.stream(),
    write: (events) =>
      events
        .filter((event) => event.kind === 'chunk')
        .map(({ chunk }) => encodeSse(JSON.stringify({ more: chunk.choices[0]?.delta.content ?? '' }))),
  }),
};

interface Summary {
  head: RequestHead;
  plan: Plan;
  request: ChatRequest;
}

async function attemptSummary(tools: SummaryTools, summary: Summary, life: RequestLife): Promise<PaidAnswer> {
  const { request, plan } = summary;
  const stream = request.stream === true;
  let outcome: ChatOutcome | undefined;
  const ended = tools.events.begin({ ...summary, stream });
  const onOutcome = (result: ChatOutcome): void => {
    outcome = result;
    life.settle(chatSettlement(result));
    ended(result);
  };
  const job = { call: { request, stream }, plan, signal: life.signal, completionId: 'id', created: 1, onOutcome };
  if (!stream) {
    const { completion, offer, routing } = await tools.dispatch.complete(job);
    const document = documentOf({ summary: completion.choices[0]?.message.content });
    return { offer, attempts: routing.length, content: { kind: 'whole', document, complete: true } };
  }
  const source = await tools.dispatch.stream(job);
  source.render((chunk) => chunk);
  return { offer: source.offer, attempts: 1, content: { kind: 'stream', source, ending: () => outcome } };
}
