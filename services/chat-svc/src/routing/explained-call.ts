import type { Principal, RequestHead } from '@tallyport/contracts';
import {
  type Fallback,
  type Plan,
  type PlanGround,
  planEmbeddings,
  planImage,
  planModerations,
  planSpeech,
  planTranscriptions,
  type Targets,
} from '@tallyport/dispatch';
import type { TranscriptionCall } from '@tallyport/providers';
import { type AskedRouting, askedRouting } from '@tallyport/serving';
import type { MultipartPart } from '@tallyport/wire';
import { asSpeechRequest } from '../audio/speech-request.ts';
import { readTranscription } from '../audio/transcription-request.ts';
import { asEmbeddingRequest, refuseOtherLengths } from '../embeddings/embedding-request.ts';
import { asModerationRequest } from '../moderations/moderation-request.ts';
import { isEmbeddingBody } from './embedding-body.ts';
import { imageBody } from './image-body.ts';

/** The basis of plans: `chats` for text, `images` for models that make only images. */
export interface CallGrounds {
  chats: PlanGround;
  images: PlanGround;
  targets: Pick<Targets, 'custom'>;
}

interface NamedCaller extends Pick<AskedRouting, 'preferences'> {
  model: string;
  principal: Principal | undefined;
  fallback: Fallback | undefined;
}

/** A request of an API that has models of its own. */
export interface ExplainedCall extends Pick<AskedRouting, 'standIns' | 'preferences'> {
  model: string;
  plan(named: NamedCaller, grounds: CallGrounds): Plan;
}

/** How the body of such an API is read: without what it says about routing. Throws like the endpoint. */
type ReadBody = (body: unknown, routing: Pick<AskedRouting, 'standIns'>) => Pick<ExplainedCall, 'model' | 'plan'>;

const embeddings: ReadBody = (body, { standIns }) => {
  const { model, call } = asEmbeddingRequest(body);
  if (standIns !== undefined) refuseOtherLengths(call);
  return { model, plan: (named, { targets, chats }) => planEmbeddings({ ...named, call }, targets, chats) };
};

const images: ReadBody = (body) => {
  const { model, editing } = imageBody(body);
  return { model, plan: (named, grounds) => planImage({ ...named, editing }, grounds.images) };
};

const moderations: ReadBody = (body) => {
  const { model, call } = asModerationRequest(body);
  return { model, plan: (named, { targets, chats }) => planModerations({ ...named, call }, targets, chats) };
};

const speech: ReadBody = (body) => {
  const { model, call } = asSpeechRequest(body);
  return { model, plan: (named, { targets, chats }) => planSpeech({ ...named, call }, targets, chats) };
};

const transcriptions =
  (task: TranscriptionCall['task']): ReadBody =>
  (body) => {
    const { model, call } = readTranscription(task, { parts: partsOf(body), boundary: 'none' }, { headers: {} });
    return { model, plan: (named, { targets, chats }) => planTranscriptions({ ...named, call }, targets, chats) };
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

const readers: ReadonlyMap<string, ReadBody> = new Map([
  ['/v1/embeddings', embeddings],
  ['/v1/images/generations', images],
  ['/v1/images/edits', images],
  ['/v1/audio/speech', speech],
  ['/v1/audio/transcriptions', transcriptions('transcribe')],
  ['/v1/audio/translations', transcriptions('translate')],
  ['/v1/moderations', moderations],
]);

/** The addresses of these APIs. */
export const callPaths: readonly string[] = [...readers.keys()];

/**
 * A request of an API with models of its own: that of `path` in the query, or else an image or embeddings by the form of
 * its body; `undefined` for chats. Throws like the endpoint.
 */
export function explainedCall(head: RequestHead, value: unknown, { chats }: CallGrounds): ExplainedCall | undefined {
  const path = new URLSearchParams(head.query).get('path');
  const read = path === null ? readerOf(value) : readers.get(path);
  if (read === undefined) return undefined;
  const { body, ...asked } = askedRouting(value, head);
  if (read === embeddings && path === null && !isEmbeddingBody(body, chats.index)) return undefined;
  return { ...asked, ...read(body, asked) };
}

/** The reader of a body that is of no chat by its members. */
function readerOf(body: unknown): ReadBody | undefined {
  if (typeof body !== 'object' || body === null || 'messages' in body) return undefined;
  if ('prompt' in body) return images;
  return 'input' in body ? embeddings : undefined;
}
