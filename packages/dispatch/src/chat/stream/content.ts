import type { ChatChunk, ChunkDelta } from '@tallyport/wire';

/** Whether a chunk commits the attempt: it has something the client would see, or ends a choice. */
export const isContent = (chunk: ChatChunk): boolean =>
  chunk.choices.some(
    ({ delta, finish_reason: finishReason }) =>
      finishReason !== null || deltaBytes(delta) > 0 || delta.images !== undefined || delta.audio !== undefined,
  );

/** Bytes of text in a chunk, for the estimate if the provider reports no usage. */
export function contentBytes(chunk: ChatChunk): number {
  let bytes = 0;
  for (const { delta } of chunk.choices) bytes += deltaBytes(delta);
  return bytes;
}

export function chunkImageCount(chunk: ChatChunk): number {
  let images = 0;
  for (const { delta } of chunk.choices) images += delta.images?.length ?? 0;
  return images;
}

function deltaBytes(delta: ChunkDelta): number {
  let bytes = textBytes(delta.content) + textBytes(delta.reasoning_content) + textBytes(delta.refusal);
  bytes += textBytes(delta.function_call?.name) + textBytes(delta.function_call?.arguments);
  for (const call of delta.tool_calls ?? []) {
    bytes += textBytes(call.function?.name) + textBytes(call.function?.arguments) + textBytes(call.custom?.input);
  }
  return bytes;
}

const textBytes = (text: string | null | undefined): number => (text ? Buffer.byteLength(text) : 0);
