import type { ChatMessage, ChatRequest, FinishReason, Usage } from '@switchyard/wire';
import type { Offer } from '@switchyard/contracts';
import type { ErrorKinds } from './error-kinds.ts';
import type { Members } from '../read.ts';
import type { RequestRules, ConditionalRules } from './request-rules.ts';

export type { ConditionalRules, RequestRules } from './request-rules.ts';

/**
 * What sets one OpenAI-format vendor apart from the format. A vendor is this object and nothing else: where data cannot
 * say it, a small pure function stands beside it in the vendor's folder.
 */
export interface Quirks extends MessageQuirks, AnswerQuirks {
  request?: RequestRules;
  /** Rules for some models or some requests, in order, after the general ones. */
  requestWhen?: readonly ConditionalRules[];
  /** For vendors that refuse what they do not know: only these members are sent. Names are those after renaming. */
  allow?: readonly string[];
  /** Members of ours this vendor understands as they are: `reasoning`, `image_config`. */
  keepOwn?: readonly string[];
  /** `unasked` vendors send usage by themselves and may refuse `stream_options`. */
  streamUsage?: 'asked' | 'unasked';
  /** The last word on the body, after all rules; a copy where something changes. */
  body?(body: Members, request: ChatRequest): Members;
}

/** How the messages of a request change on their way out. */
export interface MessageQuirks {
  /** `kept` where the role `developer` is known; elsewhere it is said as `system`. */
  developerRole?: 'kept';
  /** Members of earlier assistant messages this vendor wants back, such as `reasoning_details`. */
  keepInMessages?: readonly string[];
  /** The same for vendors that want them only within a loop of tool calls: in what follows the last user message. */
  keepInTurn?: readonly string[];
  /** True where thinking goes back with its calls, and is kept for clients that do not send it: see thinking-memory. */
  thinkingWithCalls?: boolean;
  /** For vendors that refuse members they do not know: only these are sent. */
  allowInMessages?: readonly string[];
  /** Members of any message this vendor refuses. */
  dropInMessages?: readonly string[];
  /** How this vendor wants a call's id. The same for the same id always, and ids of its own stay as they are. */
  callId?(id: string): string;
  /** The last word on one message; gives the same object back when nothing changes. */
  message?(message: ChatMessage, offer: Offer): ChatMessage;
  /** The last word on their order. */
  arrange?(messages: readonly ChatMessage[]): readonly ChatMessage[];
}

/** How this vendor's answers and errors are read. */
export interface AnswerQuirks {
  /** `tags`: some models print `<think>…</think>` in front of their answer. */
  thinking?: 'tags';
  /** `answer`: sources stand at the top level of the answer, not as annotations of the message. */
  sources?: 'answer';
  /** The vendor's own finish reasons; `fault` where it means that the vendor failed. */
  finishReasons?: Readonly<Record<string, FinishReason | 'fault'>>;
  /** Where usage stands when not under `usage`. */
  usageOf?(body: Members): unknown;
  /** Corrects the count, for vendors that count differently. `raw` is the vendor's own usage. */
  usage?(usage: Usage, raw: Members): Usage;
  /** What this vendor's error codes mean, whatever status they come with. `Name` stands for `Name.Detail` too. */
  errors?: ErrorKinds;
  /** An error this vendor hides in an answer that looks good. */
  hiddenError?(body: Members): unknown;
}
