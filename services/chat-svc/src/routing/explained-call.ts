import { endUserOf, type Offer, type Principal, type RequestHead, type UsageOperation } from '@tallyport/contracts';
import { isGeminiEmbedding, readGeminiEmbedding } from '@tallyport/dialects';
import {
  type Fallback,
  type Plan,
  type PlanGround,
  planDecisions,
  planEmbeddings,
  planImage,
  planModerations,
  planRerank,
  planSpeech,
  planTranscriptions,
  type Targets,
} from '@tallyport/dispatch';
import {
  estimateImages,
  estimatePrompts,
  estimateRanking,
  estimateSpeech,
  type RequestEstimate,
} from '@tallyport/pricing';
import { decisionImages, decisionTexts, moderationTexts, type TranscriptionCall } from '@tallyport/providers';
import {
  type AskedRouting,
  askedRouting,
  imagePromptFacts,
  type NamedRoutes,
  type PromptFacts,
} from '@tallyport/serving';
import type { MultipartPart } from '@tallyport/wire';
import { asSpeechRequest, speechFacts } from '../audio/speech-request.ts';
import { readTranscription, transcriptionFacts } from '../audio/transcription-request.ts';
import { asDecisionRequest, asStateRequest, decisionFacts } from '../decisions/decision-request.ts';
import { asEmbedByTypeRequest } from '../embeddings/embed-by-type.ts';
import { asEmbeddingRequest, embeddingFacts, refuseOtherLengths } from '../embeddings/embedding-request.ts';
import { asModerationRequest, moderationFacts } from '../moderations/moderation-request.ts';
import { asRerankRequest, rerankFacts } from '../rerank/rerank-request.ts';
import { isEmbeddingBody } from './embedding-body.ts';
import { explainedAddress, type ExplainedExchange } from './explained-address.ts';
import type { DialectExchange } from './explained-chat.ts';
import { imageBody } from './image-body.ts';

/** The basis of plans: `chats` for text, `images` for models that make only images. */
export interface CallGrounds {
  chats: PlanGround;
  images: PlanGround;
  targets: Pick<Targets, 'custom'>;
  routes: NamedRoutes;
}

interface NamedCaller extends Pick<AskedRouting, 'preferences'> {
  model: string;
  principal: Principal | undefined;
  fallback: Fallback | undefined;
  /** Offers that have their turn already. */
  tried: ReadonlySet<Offer>;
}

/** A request of an API that has models of its own. */
export interface ExplainedCall extends ReadCall, Pick<AskedRouting, 'standIns' | 'preferences'> {
  endUser: string | undefined;
}

interface ReadCall {
  model: string;
  operation: UsageOperation;
  prompt: PromptFacts;
  /** The members that name the end user. */
  endUserMembers?: Parameters<typeof endUserOf>[1];
  /** Throws if it cannot be answered by one of several models. */
  onSeveral?(): void;
  /** What it may use at most. Absent if that depends on a recording, which an explanation does not get. */
  estimate?(): RequestEstimate;
  plan(named: NamedCaller, grounds: CallGrounds): Plan;
}

/** How the body of such an API is read: without what it says about routing. Throws like the endpoint. */
type ReadBody = (body: unknown) => ReadCall;

const decisions =
  (read: typeof asDecisionRequest): ReadBody =>
  (body) => {
    const { model, call, endUser } = read(body);
    return {
      model,
      operation: 'decision',
      prompt: decisionFacts(call),
      endUserMembers: { user: endUser },
      estimate: () => estimatePrompts(decisionTexts(call), decisionImages(call)),
      plan: (named, { targets, chats }) => planDecisions({ ...named, call }, targets, chats),
    };
  };

type ReadEmbeddings = Pick<ReturnType<typeof asEmbeddingRequest>, 'model' | 'call'> & { endUser?: unknown };

const embeddingsIn =
  (read: (body: unknown) => ReadEmbeddings): ReadBody =>
  (body) => {
    const { model, call, endUser } = read(body);
    return {
      model,
      operation: 'embeddings',
      prompt: embeddingFacts(call),
      endUserMembers: { user: endUser },
      onSeveral: () => refuseOtherLengths(call),
      estimate: () => estimatePrompts(call.inputs),
      plan: (named, { targets, chats }) => planEmbeddings({ ...named, call }, targets, chats),
    };
  };

const embeddings = embeddingsIn(asEmbeddingRequest);

const images: ReadBody = (body) => {
  const { model, wanted, endUserMembers } = imageBody(body);
  const { prompt, images: given } = wanted;
  const editing = given.length > 0;
  return {
    model,
    operation: editing ? 'image_edit' : 'image_generation',
    prompt: imagePromptFacts({ prompt, images: given.length }),
    endUserMembers,
    estimate: () => estimateImages(wanted),
    plan: (named, grounds) => planImage({ ...named, editing }, grounds.images),
  };
};

const moderations: ReadBody = (body) => {
  const { model, call } = asModerationRequest(body);
  return {
    model,
    operation: 'moderation',
    prompt: moderationFacts(call),
    estimate: () => estimatePrompts(moderationTexts(call)),
    plan: (named, { targets, chats }) => planModerations({ ...named, call }, targets, chats),
  };
};

const rankings: ReadBody = (body) => {
  const { model, call, endUser } = asRerankRequest(body);
  return {
    model,
    operation: 'rerank',
    prompt: rerankFacts(call),
    endUserMembers: { user: endUser },
    estimate: () => estimateRanking(call),
    plan: (named, { targets, chats }) => planRerank({ ...named, call }, targets, chats),
  };
};

const speech: ReadBody = (body) => {
  const { model, call } = asSpeechRequest(body);
  return {
    model,
    operation: 'speech',
    prompt: speechFacts(call),
    estimate: () => estimateSpeech(call.input),
    plan: (named, { targets, chats }) => planSpeech({ ...named, call }, targets, chats),
  };
};

const transcriptions =
  (task: TranscriptionCall['task']): ReadBody =>
  (body) => {
    const { model, call } = readTranscription(task, { parts: partsOf(body), boundary: 'none' }, { headers: {} });
    return {
      model,
      operation: task === 'transcribe' ? 'transcription' : 'translation',
      prompt: transcriptionFacts,
      plan: (named, { targets, chats }) => planTranscriptions({ ...named, call }, targets, chats),
    };
  };

/** A form as its members in JSON, whose file does not matter for a plan. */
function partsOf(body: unknown): MultipartPart[] {
  const file = { name: 'file', fileName: 'audio', content: Buffer.from('audio') };
  const members = Object.entries(body ?? {}).filter(([name]) => name !== 'file');
  return [file, ...members.flatMap(([name, value]) => partsOfMember(name, value))];
}

const partsOfMember = (name: string, value: unknown): MultipartPart[] =>
  Array.isArray(value)
    ? value.map((each) => ({ name: `${name}[]`, content: Buffer.from(String(each)) }))
    : [{ name, content: Buffer.from(typeof value === 'object' ? JSON.stringify(value) : String(value)) }];

const readers: Readonly<Record<Exclude<ExplainedExchange, 'complete' | DialectExchange>, ReadBody>> = {
  decide: decisions(asDecisionRequest),
  decideState: decisions(asStateRequest),
  embed: embeddings,
  embedByType: embeddingsIn(asEmbedByTypeRequest),
  generate: images,
  edit: images,
  moderate: moderations,
  rerank: rankings,
  speak: speech,
  transcribe: transcriptions('transcribe'),
  translate: transcriptions('translate'),
};

const readerAt: Readonly<Partial<Record<ExplainedExchange, ReadBody>>> = readers;

/**
 * A request of an API with models of its own: that of `path` in the query, or else an image or embeddings by the form of
 * its body; `undefined` for chats. Throws like the endpoint.
 */
export async function explainedCall(
  head: RequestHead,
  value: unknown,
  grounds: CallGrounds,
): Promise<ExplainedCall | undefined> {
  const address = explainedAddress(head);
  if (address !== undefined && isGeminiEmbedding(address.rest)) return geminiEmbeddings(address.rest, value, head);
  const read = address === undefined ? readerOf(value) : readerAt[address.exchange];
  if (read === undefined) return undefined;
  const { body, ...asked } = askedRouting(value, head);
  if (read === embeddings && address === undefined && !(await isEmbeddingBody(body, head, grounds))) return undefined;
  return asCall(read(body), asked, head);
}

function geminiEmbeddings(path: string, value: unknown, head: RequestHead): ExplainedCall {
  const { request } = readGeminiEmbedding({ body: askedRouting(value, head).body, path });
  const { body: _read, ...asked } = askedRouting(value, { headers: head.headers, model: request.model });
  return asCall(embeddings(request), asked, head);
}

const asCall = (call: ReadCall, asked: Omit<AskedRouting, 'body'>, head: RequestHead): ExplainedCall => ({
  ...asked,
  ...call,
  endUser: endUserOf(head, call.endUserMembers ?? {}),
});

/** The reader of a body that is of no chat by its members. */
function readerOf(body: unknown): ReadBody | undefined {
  if (typeof body !== 'object' || body === null || 'messages' in body) return undefined;
  if ('prompt' in body) return images;
  return 'input' in body ? embeddings : undefined;
}
