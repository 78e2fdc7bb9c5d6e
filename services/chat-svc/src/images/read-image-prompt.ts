import { GatewayError } from '@tallyport/contracts';
import { type ImageCall, type InputImage, readImageConfig } from '@tallyport/providers';
import { type ChatRequest, imageTypeOfBase64 } from '@tallyport/wire';

/** A chat as a request for images, with its client's names of the input images. */
export interface ImagePrompt {
  readonly call: ImageCall;
  readonly imagePaths: readonly string[];
}

/**
 * The last user message is the prompt, and its images are the inputs. Throws for members that image models do not
 * support.
 */
export function readImagePrompt(request: ChatRequest): ImagePrompt {
  refuseUnsupported(request);
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

/** Members that would change the meaning of the answer but mean nothing for an image. Mere hints are ignored. */
const unsupportedMembers: readonly {
  param: keyof ChatRequest & string;
  why: string;
  given(request: ChatRequest): boolean;
}[] = [
  { param: 'tools', why: 'cannot call tools', given: ({ tools, functions }) => isFilled(tools) || isFilled(functions) },
  {
    param: 'response_format',
    why: 'answers with images, not with JSON',
    given: ({ response_format: format }) => (format?.type ?? 'text') !== 'text',
  },
  { param: 'logprobs', why: 'has no log probabilities', given: ({ logprobs }) => logprobs === true },
  { param: 'audio', why: 'makes no audio', given: ({ audio }) => (audio ?? undefined) !== undefined },
  { param: 'n', why: 'makes several images with `image_config.n` instead', given: ({ n }) => (n ?? 1) > 1 },
];

const isFilled = (list: readonly unknown[] | null | undefined): boolean => (list?.length ?? 0) > 0;

function refuseUnsupported(request: ChatRequest): void {
  const found = unsupportedMembers.find(({ given }) => given(request));
  if (found === undefined) return;
  const message = `\`${found.param}\` is not supported: '${request.model}' ${found.why}.`;
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
    const text = '`messages` needs a user message, which describes the image.';
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
      const message = `${path}: this model accepts text and images, but no ${part.type === 'file' ? 'files' : 'audio'}.`;
      throw new GatewayError('unsupported_capability', message, { param: path });
    }
    default:
      return part satisfies never;
  }
}

/** Detects the type from the bytes. URLs are checked when they are fetched. */
function readImage(url: string, path: string): InputImage {
  const head = /^data:[^,]{0,200},/i.exec(url.slice(0, 256))?.[0];
  if (head === undefined) return { url };
  const base64 = url.slice(head.length);
  const mediaType = imageTypeOfBase64(base64);
  if (/;base64,$/i.test(head) && mediaType !== undefined) return { mediaType, base64 };
  const message = `${path} must be a base64 data URL of a PNG, JPEG, GIF or WebP image, or an https URL.`;
  throw new GatewayError('invalid_parameters', message, { param: path });
}
