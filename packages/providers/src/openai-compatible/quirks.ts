import type { ChatMessage, ChatRequest, FinishReason, Usage } from '@tallyport/wire';
import type { Offer } from '@tallyport/contracts';
import type { CacheMark } from './cache-marks.ts';
import type { ErrorKinds } from './error-kinds.ts';
import type { Members } from '../read.ts';
import type { RequestRules, ConditionalRules } from './request-rules.ts';
import type { ThinkingWithCalls } from './thinking-memory.ts';

export type { ConditionalRules, RequestRules } from './request-rules.ts';

/**
 * How one vendor differs from OpenAI's format, as data. A difference that data cannot express is a small pure function
 * in the vendor's folder.
 */
export interface Quirks extends MessageQuirks, AnswerQuirks {
  request?: RequestRules;
  /** Rules for some models or requests, applied in order after the general ones. */
  requestWhen?: readonly ConditionalRules[];
  /** For vendors that refuse unknown members: only these are sent. Names are those after renaming. */
  allow?: readonly string[];
  /** Our own members that this vendor also supports: `reasoning`, `image_config`. */
  keepOwn?: readonly string[];
  /** `all` if custom tools and `allowed_tools` are supported; otherwise only the allowed tools are sent. */
  toolKinds?: 'all';
  /** `as tools` if the vendor lacks the old form of tools. */
  functions?: 'as tools';
  /** The marks of cached prompts that the vendor reads; the others are removed. */
  cacheMarks?: readonly CacheMark[];
  /** `url` if the vendor fetches files by URL; otherwise it accepts them only inline. */
  files?: 'url';
  /** `unasked`: the vendor sends usage without being asked and may refuse `stream_options`. */
  streamUsage?: 'asked' | 'unasked';
  /** Changes the body after all rules; returns a copy if it changes anything. */
  body?(body: Members, request: ChatRequest): Members;
}

/** How the messages of a request are rewritten. */
export interface MessageQuirks {
  /** `kept` if the role `developer` is supported; otherwise it becomes `system`. */
  developerRole?: 'kept';
  /** `kept` if refusals of earlier turns are supported; otherwise they become text. */
  refusals?: 'kept';
  /** Members of earlier assistant messages to send back, such as `reasoning_details`. */
  keepInMessages?: readonly string[];
  /** The same, but only after the last question: see `lastQuestion`. */
  keepInTurn?: readonly string[];
  /** How thinking is sent back in questions with calls. Absent if the vendor does not take it back. */
  thinkingWithCalls?: ThinkingWithCalls;
  /** For vendors that refuse unknown members: only these are sent. */
  allowInMessages?: readonly string[];
  /** Members of any message that this vendor refuses. */
  dropInMessages?: readonly string[];
  /** Converts a call id. It must be deterministic and keep the vendor's own ids. */
  callId?(id: string): string;
  /** Changes one message after all rules; returns the same object if nothing changes. */
  message?(message: ChatMessage, offer: Offer): ChatMessage;
  /** Rearranges the messages at the end. */
  arrange?(messages: readonly ChatMessage[], offer: Offer): readonly ChatMessage[];
}

/** How this vendor's answers and errors are read. */
interface AnswerQuirks {
  /** `tags`: some models write `<think>…</think>` before their answer. */
  thinking?: 'tags';
  /** `answer`: sources are at the top level of the answer instead of being annotations of the message. */
  sources?: 'answer';
  /** The vendor's own finish reasons; `fault` if the reason means that the vendor failed. */
  finishReasons?: Readonly<Record<string, FinishReason | 'fault'>>;
  /** Finds usage that is not in `usage`. */
  usageOf?(body: Members): unknown;
  /** Corrects counts for vendors that count differently. `raw` is the vendor's own usage. */
  usage?(usage: Usage, raw: Members): Usage;
  /** The meaning of this vendor's error codes, whatever the status. `Name` also matches `Name.Detail`. */
  errors?: ErrorKinds;
  /** Finds an error in a body that otherwise looks like an answer. */
  hiddenError?(body: Members): unknown;
}
