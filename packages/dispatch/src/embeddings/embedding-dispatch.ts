import { estimateInputs, promptUsage } from '@tallyport/pricing';
import type { EmbeddingCall } from '@tallyport/providers';
import { createCallDispatch, reportedPrompt } from '../calls/call-dispatch.ts';
import type { CallDispatch, ServedCall } from '../calls/call-job.ts';
import type { DispatchOptions } from '../chat/chat-dispatch.ts';
import { type AttemptedEmbeddings, attemptEmbeddings } from './attempt-embeddings.ts';

type EmbeddingDispatch = CallDispatch<EmbeddingCall, AttemptedEmbeddings>;
export type ServedEmbeddings = ServedCall<AttemptedEmbeddings>;

/** Serves requests for embeddings. If one of several calls fails, the whole attempt has failed. */
export const createEmbeddingDispatch = (options: DispatchOptions): EmbeddingDispatch =>
  createCallDispatch(
    {
      formatOf: ({ embeddings }) => embeddings,
      run: attemptEmbeddings,
      reported: ({ promptTokens }) => reportedPrompt(promptTokens),
      estimate: ({ inputs }) => promptUsage(estimateInputs(inputs)),
    },
    options,
  );
