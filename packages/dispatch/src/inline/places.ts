import type { ChatMessage, ChatRequest } from '@tallyport/wire';

/** The position of an image in a request. */
export interface Place {
  /** As in error messages: `messages[2].content[1]`. */
  path: string;
  url: string;
}

/** Every image of a request, in order. */
export function imagePlaces({ messages }: ChatRequest): Place[] {
  const places: Place[] = [];
  for (const [index, message] of messages.entries()) {
    const list = imageList(message);
    if (list === undefined) continue;
    for (const [at, part] of list.parts.entries()) {
      const url = urlOf(part);
      if (url !== undefined) places.push({ path: `messages[${index}].${list.name}[${at}]`, url });
    }
  }
  return places;
}

/** Returns a copy with replaced URLs. Everything else is shared with the request, which is not modified. */
export function withUrls(request: ChatRequest, urls: ReadonlyMap<string, string>): ChatRequest {
  return { ...request, messages: request.messages.map((message) => withUrlsIn(message, urls)) };
}

function withUrlsIn(message: ChatMessage, urls: ReadonlyMap<string, string>): ChatMessage {
  const changed =
    message.role === 'user' && Array.isArray(message.content) ? replaced(message.content, urls) : undefined;
  if (message.role === 'user' && changed !== undefined) return { ...message, content: changed };
  if (message.role !== 'assistant' || !message.images) return message;
  const images = replaced(message.images, urls);
  return images === undefined ? message : { ...message, images };
}

/** `undefined` if none of these parts gets another URL. */
function replaced<Part extends object>(parts: readonly Part[], urls: ReadonlyMap<string, string>): Part[] | undefined {
  const news = parts.map((part) => urls.get(urlOf(part) ?? ''));
  if (news.every((url) => url === undefined)) return undefined;
  return parts.map((part, index) => {
    const url = news[index];
    return url !== undefined && isImage(part) ? { ...part, image_url: { ...part.image_url, url } } : part;
  });
}

interface ImageList {
  name: string;
  parts: readonly object[];
}

function imageList(message: ChatMessage): ImageList | undefined {
  if (message.role === 'user' && Array.isArray(message.content)) return { name: 'content', parts: message.content };
  return message.role === 'assistant' && message.images ? { name: 'images', parts: message.images } : undefined;
}

const urlOf = (part: object): string | undefined => (isImage(part) ? part.image_url.url : undefined);

const isImage = (part: object): part is { type: 'image_url'; image_url: { url: string } } =>
  'type' in part && part.type === 'image_url';
