import type { GatewayError } from '@tallyport/contracts';
import type { ChatChunk, ChunkDelta, FinishReason, ServiceTier, TokenLogprob, Usage } from '@tallyport/wire';
import type { AnsweredModel } from '../answered-model.ts';
import { lateResponsesError } from '@tallyport/contracts';
import { createCompactionOutput } from './compaction/compaction-output.ts';
import type { SealSummary } from './compaction/summary.ts';
import { createResponsesOutput } from './output.ts';
import type { EmitEvent } from './output-events.ts';
import { createOutputItems } from './output-items.ts';
import type { ResponsesRequest } from './request-schema.ts';
import { type ResponseIdentity, responseObject, type ResponseProgress, type ResponsesResponse } from './response.ts';
import type { ToolNames } from './tool-names.ts';
import { responsesUsage } from './usage.ts';

/** One translated request: what its response needs to know of it. */
export interface ResponsesContext {
  request: ResponsesRequest;
  modelOf: AnsweredModel;
  identity: ResponseIdentity;
  names: ToolNames;
  newId(): string;
  now(): number;
  /** Set if the response compacts its conversation. */
  sealSummary?: SealSummary | undefined;
}

interface AnswerPiece {
  delta: ChunkDelta;
  logprobs: readonly TokenLogprob[];
  finish: FinishReason | null;
}

/** Writes one response. A whole answer is a single piece of it. */
export interface ResponseWriter {
  add(piece: AnswerPiece): void;
  note(totals: { usage?: Usage | undefined; service_tier?: ChatChunk['service_tier'] | undefined }): void;
  end(): ResponsesResponse;
  fail(error: GatewayError): void;
}

export function createResponseWriter(
  { request, modelOf, identity, names, newId, now, sealSummary }: ResponsesContext,
  served: string | undefined,
  emit: EmitEvent,
): ResponseWriter {
  const items = createOutputItems(emit, newId);
  const output =
    sealSummary === undefined ? createResponsesOutput(items, names) : createCompactionOutput(items, sealSummary);
  const answered = { ...request, model: modelOf(served) };
  let usage: Usage | undefined;
  let tier: ServiceTier | null | undefined;
  let finish: FinishReason | null = null;

  const response = (progress: Pick<ResponseProgress, 'status' | 'completed_at' | 'incomplete_details' | 'error'>) =>
    responseObject(answered, identity, {
      ...progress,
      output: items.finished(),
      usage: usage === undefined ? null : responsesUsage(usage),
      service_tier: tier,
    });

  const started = response({ status: 'in_progress' });
  emit('response.created', { response: started });
  emit('response.in_progress', { response: started });

  return {
    add(piece) {
      output.add(piece.delta, piece.logprobs);
      finish = piece.finish ?? finish;
    },
    note(totals) {
      usage = totals.usage ?? usage;
      tier = totals.service_tier ?? tier;
    },
    end() {
      const reason = incompleteReasonOf(finish);
      output.close(reason !== undefined);
      const ended =
        reason === undefined
          ? response({ status: 'completed', completed_at: now() })
          : response({ status: 'incomplete', incomplete_details: { reason } });
      emit(reason === undefined ? 'response.completed' : 'response.incomplete', { response: ended });
      return ended;
    },
    fail(error) {
      emit('response.failed', { response: response({ status: 'failed', error: lateResponsesError(error) }) });
    },
  };
}

function incompleteReasonOf(finish: FinishReason | null): 'max_output_tokens' | 'content_filter' | undefined {
  if (finish === 'length') return 'max_output_tokens';
  return finish === 'content_filter' ? 'content_filter' : undefined;
}
