import type { ChatMessage, ChatRequest } from '@tallyport/wire';
import type { Members } from '../read.ts';
import type { CacheMarking, PromptReuse } from './cache-marking.ts';
import { markFor, hasMark, isMarkable, markPlaces, type PromptOutline } from './mark-places.ts';

/** The request with marks for the vendor's prompt cache. It is the same one if the client set marks, or none would pay. */
export function markedChat(request: ChatRequest, marking: CacheMarking, reuse: PromptReuse): ChatRequest {
  if (isMarkedByClient(request)) return request;
  const outline = chatOutline(request);
  const places = markPlaces(outline, marking, reuse);
  if (places === undefined) return request;
  const mark = marking.implicit ? breakpoint : { cache_control: markFor(marking, reuse) };
  const first = outline.system.length;
  const messages = [...request.messages];
  for (const index of [...(places.system ? [first - 1] : []), ...places.messages.map((at) => first + at)]) {
    const message = messages[index];
    if (message !== undefined) messages[index] = markedMessage(message, mark);
  }
  const { tools } = request;
  if (!places.tools || tools == null) return { ...request, messages };
  const last = tools.length - 1;
  return { ...request, messages, tools: tools.map((tool, at) => (at === last ? { ...tool, ...mark } : tool)) };
}

const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } };

const isMarkedByClient = (request: ChatRequest): boolean =>
  hasMark(request) ||
  request.prompt_cache_options != null ||
  request.tools?.some((tool) => hasMark(tool) || ('function' in tool && hasMark(tool.function))) === true ||
  request.messages.some(
    (message) => hasMark(message) || (Array.isArray(message.content) && message.content.some(hasMark)),
  );

/** Instructions in the middle of a conversation are part of its messages. */
export function chatOutline({ tools, messages }: ChatRequest): PromptOutline {
  const start = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const first = start < 0 ? messages.length : start;
  const own = messages.slice(first);
  const latest = own.findLastIndex(isClients);
  const answer = own.findLastIndex(({ role }, index) => role === 'assistant' && index < latest);
  const previous = own.findLastIndex((message, index) => index < answer && isClients(message));
  return { tools: tools ?? [], system: messages.slice(0, first), messages: own, latest, previous };
}

const isClients = ({ role }: ChatMessage): boolean => role === 'user' || role === 'tool';

/** The mark is set on the last text, because not every vendor takes it on other parts. */
function markedMessage(message: ChatMessage, mark: Members): ChatMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'tool':
      return { ...message, content: markedContent(message.content, mark) };
    case 'user':
      return { ...message, content: markedContent(message.content, mark) };
    default:
      return message;
  }
}

type PartWithText = { type: 'text'; text: string };

function markedContent<Part extends object>(content: string | readonly Part[], mark: Members) {
  if (typeof content === 'string') {
    return isMarkable(content) ? [{ type: 'text' as const, text: content, ...mark }] : content;
  }
  const last = content.findLastIndex((part) => 'text' in part && isMarkable(part.text));
  return content.map((part, index): Part | PartWithText => (index === last ? { ...part, ...mark } : part));
}
