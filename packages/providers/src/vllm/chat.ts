import { openAiCompatible } from '../openai-compatible/chat.ts';

/** A server people run themselves; whether it prints its thinking depends on how it was started. */
export const vllm = openAiCompatible({
  id: 'vllm',
  baseUrl: 'http://127.0.0.1:8000/v1',
  keyVariable: 'VLLM',
  auth: { kind: 'bearer', optional: true },
  quirks: { thinking: 'tags' },
});
