import { GatewayError } from '@switchyard/contracts';
import { imageTypeOf, markBytes } from '@switchyard/dispatch';
import { type ImageCall, type InputImage, readImageConfig } from '@switchyard/providers';
import type { ChatRequest } from '@switchyard/wire';

/** A chat as the request for images it is, and how its client knows the images in it. */
export interface Painting {
  readonly call: ImageCall;
  readonly imagePaths: readonly string[];
}

/** The last message of the user is the prompt, its images are the inputs. Throws for what image models know nothing of. */
export function readPainting(request: ChatRequest): Painting {
  refuseForeign(request);
  const { texts, images, imagePaths } = readQuestion(request);
  const config = readImageConfig(request.image_config ?? {});
  const call: ImageCall = {
    operation: images.length === 0 ? 'generate' : 'edit',
    prompt: texts.join('\n'),
    n: config.n ?? 1,
    images,
    config,
    ...(request.user && { user: request.user }),
  };
  return { call, imagePaths };
}

/** What would change the meaning of the answer and has none for an image. Hints are left out. */
const foreign: readonly { param: keyof ChatRequest & string; why: string; given(request: ChatRequest): boolean }[] = [
  { param: 'tools', why: 'calls no tools', given: ({ tools, functions }) => isFilled(tools) || isFilled(functions) },
  {
    param: 'response_format',
    why: 'answers with images, not with JSON',
    given: ({ response_format: format }) => (format?.type ?? 'text') !== 'text',
  },
  { param: 'logprobs', why: 'has no tokens to weigh', given: ({ logprobs }) => logprobs === true },
  { param: 'audio', why: 'does not speak', given: ({ audio }) => (audio ?? undefined) !== undefined },
  { param: 'n', why: 'makes several images by image_config.n', given: ({ n }) => (n ?? 1) > 1 },
];

const isFilled = (list: readonly unknown[] | null | undefined): boolean => (list?.length ?? 0) > 0;

function refuseForeign(request: ChatRequest): void {
  const found = foreign.find(({ given }) => given(request));
  if (found === undefined) return;
  const message = `\`${found.param}\` cannot be had here: '${request.model}' ${found.why}.`;
  throw new GatewayError('unsupported_capability', message, { param: found.param });
}

interface Question {
  readonly texts: readonly string[];
  readonly images: readonly InputImage[];
  readonly imagePaths: readonly string[];
}

function readQuestion({ messages }: ChatRequest): Question {
  const index = messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[index];
  if (message?.role !== 'user') {
    const text = 'messages must hold one of the user: it says what the image shall be.';
    throw new GatewayError('invalid_parameters', text, { param: 'messages' });
  }
  if (typeof message.content === 'string') return { texts: [message.content], images: [], imagePaths: [] };
  const parts = message.content.map((part, at) => readPart(part, `messages[${index}].content[${at}]`));
  return {
    texts: parts.flatMap((part) => ('text' in part ? part.text : [])),
    images: parts.flatMap((part) => ('image' in part ? part.image : [])),
    imagePaths: parts.flatMap((part) => ('image' in part ? part.path : [])),
  };
}

type UserPart = Exclude<Extract<ChatRequest['messages'][number], { role: 'user' }>['content'], string>[number];

type ReadPart = { text: string } | { image: InputImage; path: string };

function readPart(part: UserPart, path: string): ReadPart {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'image_url':
      return { image: readImage(part.image_url.url, path), path };
    case 'input_audio':
    case 'file': {
      const message = `${path}: this model takes text and images, no ${part.type === 'file' ? 'files' : 'audio'}.`;
      throw new GatewayError('unsupported_capability', message, { param: path });
    }
    default:
      return part satisfies never;
  }
}

/** Enough base64 for the first bytes of every type. */
const markCharacters = Math.ceil(markBytes / 3) * 4;

/** The label is what the bytes say. An address is looked at when it is fetched. */
function readImage(url: string, path: string): InputImage {
  const head = /^data:[^,]{0,200},/i.exec(url.slice(0, 256))?.[0];
  if (head === undefined) return { url };
  const base64 = url.slice(head.length);
  const mediaType = imageTypeOf(Buffer.from(base64.slice(0, markCharacters), 'base64'));
  if (/;base64,$/i.test(head) && mediaType !== undefined) return { mediaType, base64 };
  const message = `${path}: must be the data URL of a PNG, JPEG, GIF or WebP image in base64, or an https address.`;
  throw new GatewayError('invalid_parameters', message, { param: path });
}
