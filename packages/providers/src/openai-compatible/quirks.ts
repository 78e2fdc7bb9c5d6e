import type { ChatMessage, FinishReason, Usage } from '@switchyard/wire';
import type { Offer } from '@switchyard/contracts';
import type { ChatCall } from '../provider.ts';
import type { Members } from './read.ts';

/** How the members of a request change on their way out, as data. */
export interface RequestRules {
  /** Old name → new name. A member that already has the new name wins. */
  rename?: Readonly<Record<string, string>>;
  /** Hints this vendor has no use for, or refuses. */
  drop?: readonly string[];
  /** Members every request needs here. */
  add?: Members;
}

export interface ConditionalRules extends RequestRules {
  when(call: ChatCall, offer: Offer): boolean;
}

/**
 * What sets one OpenAI-format vendor apart from the format. A vendor is this object and nothing else: where data cannot
 * say it, a small pure function stands beside it in the vendor's file.
 */
export interface Quirks {
  request?: RequestRules;
  /** Rules for some models or some requests, in order, after the general ones. */
  requestWhen?: readonly ConditionalRules[];
  /** For vendors that refuse what they do not know: only these members are sent. Names are those after renaming. */
  allow?: readonly string[];
  /** Members of ours this vendor understands as they are: `reasoning`, `image_config`. */
  keepOwn?: readonly string[];
  /** Members of earlier assistant messages this vendor wants back, such as `reasoning_content`. */
  keepInMessages?: readonly string[];
  /** The last word on one message; gives the same object back when nothing changes. */
  message?(message: ChatMessage, offer: Offer): ChatMessage;
  /** `unasked` vendors send usage by themselves and may refuse `stream_options`. */
  streamUsage?: 'asked' | 'unasked';
  /** The vendor's own finish reasons; `fault` where it means that the vendor failed. */
  finishReasons?: Readonly<Record<string, FinishReason | 'fault'>>;
  /** Where usage stands when not under `usage`. */
  usageOf?(body: Members): unknown;
  /** Corrects the count, for vendors that count differently. `raw` is the vendor's own usage. */
  usage?(usage: Usage, raw: Members): Usage;
  /** The status an error code of this vendor means, whatever status it came with. */
  errorStatus?: Readonly<Record<string, number>>;
  /** An error this vendor hides in an answer that looks good. */
  hiddenError?(body: Members): unknown;
  /** Not true for vendors whose text needs state to be read, such as `<think>` inside the content. */
  textDeltasAreIndependent?: boolean;
}
