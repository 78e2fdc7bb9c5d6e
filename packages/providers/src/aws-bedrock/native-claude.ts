import { fitsHosted, usesServices } from '../anthropic/hosted-fit.ts';
import { acceptedBetas, hostedBody } from '../anthropic/hosted-request.ts';
import { nativeMessages } from '../anthropic/native.ts';
import { withOneConfig } from '../anthropic/one-config.ts';
import { anthropicCompletion } from '../anthropic/response.ts';
import type { NativeCall, NativeFormat } from '../spec/provider.ts';
import { invokeCounting } from './counting.ts';
import { createInvokeStream, invokeEvent } from './invoke-stream.ts';

const betas: ReadonlySet<string> = new Set([
  'compact-2026-01-12',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'mid-conversation-output-config-2026-07-01',
  'mid-conversation-tool-changes-2026-07-01',
  'output-128k-2025-02-19',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
  'tool-search-tool-2025-10-19',
]);

/** Of Anthropic's own tools, Bedrock has only the search of tools. */
const missingTools = /^(advisor|(bash_|text_editor_)?code_execution|container|mcp|web_fetch|web_search)_/;

/** A model or an inference profile of Anthropic's since Claude 3. */
const claudeModels = /(^|[./])anthropic\.claude-(?!v\d|instant)/;

/** Requests of clients of the Messages API, for Anthropic's models: they are invoked directly, not by Converse. */
export const bedrockClaude = (id: string): NativeFormat => ({
  ...nativeMessages,
  counting: invokeCounting,
  serves: ({ modelName }) => claudeModels.test(modelName),
  lacks: (request) => usesServices(request, missingTools),
  fits: (request, offer) => fitsHosted(request, offer, { betas, removed }),
  request: (call, offer) => ({
    method: 'POST',
    path: `/model/${encodeURIComponent(offer.modelName)}/${call.stream ? 'invoke-with-response-stream' : 'invoke'}`,
    headers: {
      'content-type': 'application/json',
      accept: call.stream ? 'application/vnd.amazon.eventstream' : 'application/json',
    },
    body: hostedBody(withOneConfig(call), offer, { removed, added: addedMembers(call) }),
  }),
  reading: {
    response: (body, context) => anthropicCompletion(body, { ...context, providerId: id }),
    stream: (context) => createInvokeStream({ ...context, providerId: id }),
  },
  unwrap: invokeEvent,
});

/** The address says which model answers, and whether as a stream. Clients label requests with tags for Anthropic only. */
const removed: ReadonlySet<string> = new Set(['anthropic_beta', 'anthropic_version', 'model', 'stream', 'tags']);

function addedMembers(call: NativeCall): Record<string, string> {
  const asked = acceptedBetas(call, betas);
  return {
    anthropic_version: '"bedrock-2023-05-31"',
    ...(asked.length > 0 && { anthropic_beta: JSON.stringify(asked) }),
  };
}
