import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from './agent.ts';
import type { ProxiedRequest } from './proxied-request.ts';
import type { AgentTrial } from './trial.ts';

type Body = Record<string, unknown>;

interface RecordedAgent {
  agent: string;
  version: string;
  /** Requests refer to their list of tools by its index here. */
  toolLists: readonly unknown[];
  requests: readonly SentRequest[];
}

/** A request as an agent sent it, and the model it was recorded with. */
interface SentRequest {
  asked: string;
  path: string;
  body: Body;
}

export interface RecordedRequest extends SentRequest {
  agent: string;
}

const folder = join(import.meta.dirname, 'fixtures');

/**
 * Signed thinking that names the home folder is no longer valid without its path. A compaction is read only by the
 * account that made it, and a response is continued only on its socket.
 */
const isRepeatable = ({ path, body }: ProxiedRequest): boolean =>
  chatPaths.test(path) && !ownPath.test(body) && !/"type":"compaction"|"previous_response_id":"/.test(body);
const ownPath = /"thinking":"(?:[^"\\]|\\.)*tallyport-agent-/;

/** The APIs in which agents send their chats. */
const chatPaths =
  /^\/v1\/(chat\/completions|messages|responses)(\?|$)|^\/v1beta\/models\/[^:]+:\w*[gG]enerateContent(\?|$)/;

/**
 * Keeps one chat of each kind that an agent sent. Instructions and descriptions belong to the makers of the agent, so
 * only their lengths are kept.
 */
export async function keepRequests(agent: Agent, trials: readonly AgentTrial[]): Promise<void> {
  const toolLists: unknown[] = [];
  const kinds = new Map<string, SentRequest>();
  for (const { model, requests } of trials) {
    for (const { path, body: text } of requests.filter(isRepeatable)) {
      const body = chatOf(text);
      const tools = body.tools === undefined ? {} : { tools: indexIn(body.tools, toolLists) };
      const kept = { ...body, ...tools };
      const kind = JSON.stringify(kindOf({ ...kept, model: '' }));
      // The longest conversation of one model, which is its last request.
      if ((kinds.get(kind)?.asked ?? model) === model) kinds.set(kind, { asked: model, path, body: kept });
    }
  }
  const recorded: RecordedAgent = {
    agent: agent.name,
    version: agent.version,
    toolLists,
    requests: [...kinds.values()],
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${agent.name}.json`), `${JSON.stringify(recorded, null, 2)}\n`);
}

/** The recorded requests, with texts of the original lengths. */
export function recordedRequests(): RecordedRequest[] {
  return readdirSync(folder).flatMap((file) => {
    const { agent, toolLists, requests }: RecordedAgent = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return requests.map(({ body, ...sent }) => {
      const tools = typeof body.tools === 'number' ? { tools: toolLists[body.tools] } : {};
      return { agent, ...sent, body: eachMember({ ...body, ...tools }, restore) };
    });
  });
}

const longText = 200;
/** Signatures and what they sign, which are valid only together. */
const ownTexts = [
  'reasoning_content',
  'reasoning',
  'thinking',
  'signature',
  'thoughtSignature',
  'data',
  'encrypted_content',
];
const paths = /\/[^\s"']*tallyport-agent-\w+/g;

/** The parsed body without values that differ per run. */
const chatOf = (text: string): Body =>
  eachMember(JSON.parse(withoutIds(text.replaceAll(paths, '/home/user'))), shorten);

const ids = /(?<![\da-z])([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32}([\da-f]{32})?)(?![\da-z])/gi;

/** Numbers random ids, so that equal ones stay equal. */
function withoutIds(text: string): string {
  const found = new Map<string, number>();
  return text.replaceAll(ids, (id) => {
    const number = found.get(id) ?? found.size + 1;
    found.set(id, number);
    const digits = String(number).padStart(12, '0');
    return id.includes('-') ? `00000000-0000-4000-8000-${digits}` : digits.padStart(id.length, '0');
  });
}

function shorten(value: unknown, name: string): unknown {
  if (typeof value === 'string') {
    const isOwn = ownTexts.includes(name);
    const isLong = name === 'description' || (value.length > longText && !isOwn);
    return isLong ? `«${value.length} characters»` : value;
  }
  return mapNested(value, shorten);
}

function restore(value: unknown): unknown {
  const length = typeof value === 'string' && /^«(\d+) characters»$/.exec(value)?.[1];
  return length ? 'word '.repeat(Number(length) / 5 + 1).slice(0, Number(length)) : mapNested(value, restore);
}

/** The shape of a body, without its texts, the order of its members and repetitions in its lists. */
function kindOf(value: unknown): unknown {
  if (typeof value === 'string') return kindOfText(value);
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(kindOf(item))))];
  const members = mapNested(value, kindOf);
  return isObject(members) ? Object.fromEntries(Object.entries(members).toSorted(byName)) : members;
}

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null;

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** Keeps keywords of the format, drops other texts. */
const kindOfText = (text: string): string => (/^[a-z_]{1,20}$/.test(text) ? text : '');

function mapNested(value: unknown, map: (value: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => map(item, ''));
  return isObject(value) ? eachMember(value, map) : value;
}

const eachMember = (value: Body, map: (value: unknown, name: string) => unknown): Body =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, map(item, name)]));

function indexIn(list: unknown, lists: unknown[]): number {
  const text = JSON.stringify(list);
  const index = lists.findIndex((known) => JSON.stringify(known) === text);
  return index >= 0 ? index : lists.push(list) - 1;
}
