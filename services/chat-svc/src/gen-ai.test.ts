import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatBench, startChatBench } from './testing/chat-bench.ts';

const chat = (members: object) => ({
  model: 'sandbox-chat',
  messages: [{ role: 'user', content: '[reasoning] Hello' }],
  ...members,
});

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench();
});
afterAll(() => bench.close());

const linesOf = async (name: string): Promise<string[]> =>
  (await bench.metrics()).split('\n').filter((line) => line.startsWith(`${name}{`));
const labels = (provider: string, model: string): string =>
  `provider="${provider}",gen_ai_operation_name="chat",gen_ai_provider_name="${provider}",gen_ai_request_model="sandbox-chat",gen_ai_response_model="${model}"`;

test('calls have the metrics of the GenAI conventions, plain and streamed, failed ones too', async () => {
  const [first = '', second = ''] = bench.providers;
  bench.simulator.faults.set({ provider: first, fault: 'status:503', times: 1 });
  const plain = JSON.parse((await bench.ask(chat({}))).text);
  expect(plain.metadata.used_provider).toBe(second);
  const duration = 'gen_ai_client_inference_duration_seconds_count';
  await expect
    .poll(() => linesOf(duration))
    .toEqual([
      `${duration}{${labels(first, '')},error_type="provider_overloaded"} 1`,
      `${duration}{${labels(second, 'sandbox-chat')},error_type=""} 1`,
    ]);
  const total = async (name: string) => (await linesOf(`gen_ai_client_inference_usage_${name}_total`)).join('\n');
  const ofCall = `{${labels(second, 'sandbox-chat')},gen_ai_token_modality="unknown"}`;
  const { usage } = plain;
  expect(await total('input_tokens')).toBe(
    `gen_ai_client_inference_usage_input_tokens_total${ofCall} ${usage.prompt_tokens}`,
  );
  expect(await total('output_tokens')).toContain(` ${usage.completion_tokens}`);
  expect(await total('reasoning_output_tokens')).toContain(` ${usage.completion_tokens_details.reasoning_tokens}`);
  expect(await linesOf('gen_ai_client_inference_time_to_first_chunk_seconds_count')).toEqual([]);
  await bench.ask(chat({ stream: true }));
  await expect
    .poll(async () => (await linesOf('gen_ai_client_inference_time_to_first_chunk_seconds_count')).length)
    .toBe(1);
});
