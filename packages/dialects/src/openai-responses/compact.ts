import { responsesErrors } from '@tallyport/contracts';
import { type ChatCompletion, type ChatRequest, editMembers } from '@tallyport/wire';
import type { Dialect, DialectCall, DialectRequest } from '../dialect.ts';
import { outlineOf, type PassedRequest, readEither } from '../passed-request.ts';
import { isPlainObject } from '../plain-object.ts';
import { refuseMember } from '../refuse-member.ts';
import { compactionChat, withoutTools } from './compaction/compaction-chat.ts';
import { isSaidByUser, statelessItems } from './compaction/compactions.ts';
import { type SealSummary, finishedSummary } from './compaction/summary.ts';
import { conversationOf, inputItems, itemsOfBody } from './conversation.ts';
import { type EarlierItems, placedItems } from './expanded-input.ts';
import { listedItems } from './listed-items.ts';
import { responsesMemberNames } from './member-names.ts';
import { passedResponses, tierOfResponses } from './native.ts';
import { withItems } from './references.ts';
import { toChatRequest } from './request.ts';
import { parseResponsesRequest } from './request-schema.ts';
import { createToolNames } from './tool-names.ts';
import { responsesUsage } from './usage.ts';

/** What a service adds to a request that compacts a conversation. */
interface CompactState extends EarlierItems {
  sealSummary: SealSummary;
}

const stateless = (body: unknown): CompactState => ({
  ...statelessItems(body),
  sealSummary() {
    throw new TypeError('A request that is only explained has no answer.');
  },
});

/** `POST /v1/responses/compact`: a conversation becomes what its user said, and one item that stands for the rest. */
export const openAiCompact = {
  name: 'openai-compact',
  read(arrived: DialectRequest, state: CompactState = stateless(arrived.body)): DialectCall {
    const { body, bytes } = withInput(arrived);
    const { now, newId } = arrived;
    if (isPlainObject(body) && body.stream === true)
      refuseMember('stream', 'a compaction is not streamed: leave it out');
    const read = readEither({
      passed: passedCompact({ body, bytes, items: state }),
      translate: () => toCompactionChat(body, state),
      outline,
    });
    const own = itemsOfBody(Object(withItems(body, state.referenced)));
    return {
      ...read,
      needsText: true,
      answer: (completion) => ({
        id: `resp_${newId()}`,
        object: 'response.compaction',
        created_at: now(),
        output: [
          ...listedItems([...state.earlier, ...own].filter(isSaidByUser), newId),
          {
            id: `cmp_${newId()}`,
            type: 'compaction',
            encrypted_content: state.sealSummary(finishedSummary(completion)),
          },
        ],
        usage: usageOf(completion),
        ...(completion.service_tier && { service_tier: completion.service_tier }),
      }),
      stream: neverStreamed,
    };
  },
  errors: responsesErrors,
  memberNames: responsesMemberNames,
} satisfies Dialect;

/** A request may have only `previous_response_id`, whose items become the input. */
function withInput({ body, bytes }: Pick<DialectRequest, 'body' | 'bytes'>) {
  if (!isPlainObject(body) || body.input != null) return { body, bytes };
  return {
    body: { ...body, input: [] },
    bytes: editMembers(bytes, { removed: new Set(['input']), added: { input: '[]' } }),
  };
}

function passedCompact(request: Parameters<typeof passedResponses>[0]): PassedRequest | undefined {
  const passed = passedResponses(request);
  return passed && { ...passed, dialect: 'openai-compact' };
}

/** Codex sends its tools, other clients do not: a conversation with calls of tools needs them, or has them as texts. */
function toCompactionChat(body: unknown, state: CompactState): ChatRequest {
  const request = parseResponsesRequest(withItems(body, placedItems(state)));
  const items = conversationOf(inputItems(request), state);
  const { tool_choice: _choice, ...chat } = toChatRequest(request, items, createToolNames());
  return compactionChat(chat.tools === undefined ? { ...chat, messages: withoutTools(chat.messages) } : chat);
}

const outline = ({ model, members: { instructions, input, ...members } }: PassedRequest): ChatRequest =>
  outlineOf({
    model,
    stream: false,
    limit: undefined,
    prompt: [instructions, input],
    tier: tierOfResponses(members),
  });

const usageOf = ({ usage }: ChatCompletion) => usage && responsesUsage(usage);

function neverStreamed(): never {
  throw new TypeError('A compaction is not streamed.');
}
