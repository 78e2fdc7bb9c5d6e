import type { ChatMessage, UserPart } from '@tallyport/wire';
import { refuseMember } from '../refuse-member.ts';
import type { PlacedItem } from './conversation.ts';
import { type AssistantItem, type WrittenTurn, createWrittenTurn } from './written-turn.ts';
import { userPart } from './input-content.ts';
import type { ResponsesItem, ResponsesItemOf } from './item-schema.ts';
import type { ResponsesRequest } from './request-schema.ts';
import type { ToolNames } from './tool-names.ts';
import { isClientSearch, isSearching, searchResult } from './tool-search.ts';

/** The conversation as messages. */
export function inputMessages(
  { instructions }: ResponsesRequest,
  items: readonly PlacedItem[],
  names: ToolNames,
): ChatMessage[] {
  const first: ChatMessage[] = instructions ? [{ role: 'developer', content: instructions }] : [];
  const said = messagesOf(items, names);
  if (said.length === 0) refuseMember('input', 'must hold at least one message');
  return [...first, ...said];
}

function messagesOf(items: readonly PlacedItem[], names: ToolNames): ChatMessage[] {
  const history = createHistory(names);
  for (const { item, path } of items) addItem(history, item, path);
  return history.messages();
}

const unsaidKinds = [
  'additional_tools',
  'configuration_update',
  'web_search_call',
] as const satisfies ResponsesItem['type'][];

/** These change tools and settings, see readDeclaredTools and readSettings, or led to a text. */
const isUnsaid = (item: ResponsesItem): item is ResponsesItemOf<(typeof unsaidKinds)[number]> =>
  unsaidKinds.some((kind) => kind === item.type);

function addItem(history: History, item: ResponsesItem, path: string): void {
  if (isUnsaid(item)) return;
  if (isSearching(item)) return addSearch(history, item, path);
  switch (item.type) {
    case 'message':
      return addMessage(history, item, path);
    case 'reasoning':
    case 'function_call':
    case 'custom_tool_call':
    case 'image_generation_call':
      return history.assistant(item, path);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return history.result(item, path);
    default:
      return item satisfies never;
  }
}

function addSearch(
  history: History,
  item: ResponsesItemOf<'tool_search_call' | 'tool_search_output'>,
  path: string,
): void {
  if (!isClientSearch(item)) return;
  if (item.type === 'tool_search_call') return history.assistant(item, path);
  history.found(item.call_id, searchResult(item.tools));
}

function addMessage(history: History, item: ResponsesItemOf<'message'>, path: string): void {
  if (item.role === 'assistant') return history.assistant(item, path);
  const { role, content } = item;
  if (typeof content === 'string') return history.other({ role, content });
  if (role === 'user') {
    return history.other({ role, content: content.map((part, at) => userPart(part, `${path}.content[${at}]`)) });
  }
  return history.other({ role, content: content.map(({ text }) => ({ type: 'text' as const, text })) });
}

interface History {
  assistant(item: AssistantItem, path: string): void;
  /** The result of a search among tools; nothing unless the search is there. */
  found(callId: string, text: string): void;
  result(item: ResponsesItemOf<'function_call_output' | 'custom_tool_call_output'>, path: string): void;
  other(message: ChatMessage): void;
  messages(): ChatMessage[];
}

function createHistory(names: ToolNames): History {
  /** In order; a turn of the assistant grows until all its calls have results. */
  const entries: (ChatMessage | WrittenTurn)[] = [];
  let turn: WrittenTurn | undefined;
  let isTurnLast = false;
  /** Images and files in results: a chat takes only text there. They follow the last result of a turn. */
  let media: UserPart[] = [];

  function sendMedia(): void {
    if (media.length > 0) entries.push({ role: 'user', content: media });
    media = [];
  }

  function openTurn(): WrittenTurn {
    sendMedia();
    const opened = createWrittenTurn(names);
    entries.push(opened);
    return opened;
  }

  return {
    assistant(item, path) {
      // A message between a call and its result would part them: the turn goes on.
      if (turn === undefined || !(isTurnLast || turn.isWaiting())) {
        turn = openTurn();
        isTurnLast = true;
      }
      turn.add(item, path);
    },
    found(id, text) {
      if (turn?.answer(id) !== true) return;
      isTurnLast = false;
      entries.push({ role: 'tool', tool_call_id: id, content: text });
    },
    result({ call_id: id, output }, path) {
      turn?.answer(id);
      isTurnLast = false;
      const { text, others } = resultOf(output, `${path}.output`);
      entries.push({ role: 'tool', tool_call_id: id, content: text });
      if (others.length > 0) media.push({ type: 'text', text: `Attachments of the result of ${id}:` }, ...others);
    },
    other(message) {
      sendMedia();
      turn = undefined;
      entries.push(message);
    },
    messages() {
      sendMedia();
      return entries.flatMap((entry) => ('role' in entry ? entry : (entry.message() ?? [])));
    },
  };
}

type Output = ResponsesItemOf<'function_call_output'>['output'];

function resultOf(output: Output, path: string): { text: string; others: UserPart[] } {
  if (typeof output === 'string') return { text: output, others: [] };
  const parts = output.map((part, at) => userPart(part, `${path}[${at}]`));
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
  const others = parts.filter(({ type }) => type !== 'text');
  return { text: texts.length > 0 ? texts.join('\n') : others.length > 0 ? 'See the attachments.' : '', others };
}
