import { type CacheMarking, type ChatCall, markedChat, type PromptReuse } from '@tallyport/providers';

/** How the prompt of an attempt is marked for the vendor's cache. */
export interface CacheMarks {
  marking: CacheMarking;
  reuse: PromptReuse;
}

export function withMarks(call: ChatCall, marks: CacheMarks | undefined): ChatCall {
  if (marks === undefined) return call;
  const request = markedChat(call.request, marks.marking, marks.reuse);
  return request === call.request ? call : { ...call, request };
}
