import { insertTexts, type JsonInsertion, type JsonPath, type NativeRequest } from '@tallyport/wire';
import { isMembers, items, type Members, members, text } from '../read.ts';
import type { CacheMarking, PromptReuse } from './cache-marking.ts';
import { markFor, hasMark, isMarkable, type MarkPlaces, markPlaces, type PromptOutline } from './mark-places.ts';

/**
 * A client's request of the Messages API with marks for the vendor's prompt cache. Every byte that the client sent stays. It is
 * the same request if the client set marks, or none would pay.
 */
export function markedMessages(request: NativeRequest, marking: CacheMarking, reuse: PromptReuse): NativeRequest {
  const { members: body } = request;
  if (isMarkedByClient(body)) return request;
  const outline = outlineOf(body);
  const places = markPlaces(outline, marking, reuse);
  if (places === undefined) return request;
  const paths = [...beginningPaths(body, places), ...messagePaths(outline, places)];
  if (paths.length === 0) return request;
  const cache_control = markFor(marking, reuse);
  const mark = `"cache_control":${JSON.stringify(cache_control)}`;
  return {
    ...request,
    body: insertTexts(
      request.body,
      paths.map((path) => insertionAt(body, path, mark)),
    ),
    members: paths.reduce((marked, path) => markedAt(marked, path, { cache_control }), body),
  };
}

const isMarkedByClient = ({ tools, system, messages, ...body }: Members): boolean =>
  hasMark(body) || [tools, system].some((list) => items(list).some(hasMark)) || items(messages).some(isMarkedMessage);

const isMarkedMessage = (message: unknown): boolean =>
  items(members(message).content).some((block) => hasMark(block) || items(members(block).content).some(hasMark));

function outlineOf({ tools, system, messages }: Members): PromptOutline {
  const own = items(messages);
  const roles = own.map((message) => members(message).role);
  const latest = roles.lastIndexOf('user');
  const answer = roles.lastIndexOf('assistant', latest);
  const previous = answer < 0 ? -1 : roles.lastIndexOf('user', answer);
  return {
    tools: items(tools),
    system: typeof system === 'string' ? [system] : items(system),
    messages: own,
    latest,
    previous,
  };
}

/** The vendor refuses marks on tools that it loads later. */
const isLoaded = (tool: unknown): boolean => isMembers(tool) && tool.defer_loading !== true;

function beginningPaths({ tools, system }: Members, places: MarkPlaces): JsonPath[] {
  const tool = places.tools ? items(tools).findLastIndex(isLoaded) : -1;
  const block = places.system ? items(system).findLastIndex(isMarkableBlock) : -1;
  return [
    ...(tool < 0 ? [] : [['tools', tool]]),
    ...(places.system && isMarkable(system) ? [['system']] : []),
    ...(block < 0 ? [] : [['system', block]]),
  ];
}

const messagePaths = ({ messages }: PromptOutline, places: MarkPlaces): JsonPath[] =>
  places.messages.flatMap((at): JsonPath[] => {
    const { content } = members(messages[at]);
    if (isMarkable(content)) return [['messages', at, 'content']];
    const block = items(content).findLastIndex(isMarkableBlock);
    return block < 0 ? [] : [['messages', at, 'content', block]];
  });

const markableTypes: ReadonlySet<unknown> = new Set(['document', 'image', 'search_result', 'tool_result']);

const isMarkableBlock = (block: unknown): boolean => {
  const { type, text: said } = members(block);
  return type === 'text' ? isMarkable(said) : markableTypes.has(type);
};

/** A text becomes a list with one block. */
function insertionAt(body: Members, path: JsonPath, mark: string): JsonInsertion {
  if (text(valueAt(body, path)) === undefined) return { path, member: mark };
  return { path, around: ['[{"type":"text","text":', `,${mark}}]`] };
}

const valueAt = (value: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>(
    (inside, step) => (typeof step === 'number' ? items(inside)[step] : members(inside)[step]),
    value,
  );

/** The same in the parsed request; objects that are not on the path are shared. */
function markedAt(value: Members, path: JsonPath, mark: Members): Members {
  const marked = (inside: unknown, depth: number): unknown => {
    const step = path[depth];
    if (step === undefined) {
      return typeof inside === 'string' ? [{ type: 'text', text: inside, ...mark }] : { ...members(inside), ...mark };
    }
    if (typeof step === 'number') return items(inside).with(step, marked(items(inside)[step], depth + 1));
    return { ...members(inside), [step]: marked(members(inside)[step], depth + 1) };
  };
  return members(marked(value, 0));
}
