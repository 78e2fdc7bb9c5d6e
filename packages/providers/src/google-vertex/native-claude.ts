import type { Offer } from '@tallyport/contracts';
import { fitsHosted, usesServices } from '../anthropic/hosted-fit.ts';
import { acceptedBetas, hostedBody } from '../anthropic/hosted-request.ts';
import { nativeMessages } from '../anthropic/native.ts';
import type { NativeFormat } from '../spec/provider.ts';
import { claudeCounting } from './claude-counting.ts';
import { claudePath, claudeVersion } from './claude.ts';

const betas: ReadonlySet<string> = new Set([
  'compact-2026-01-12',
  'compact-2026-09-04',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'interleaved-thinking-2025-05-14',
  'per-turn-control-2026-07-01',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'tool-search-tool-2025-10-19',
  'web-search-2025-03-05',
]);

/** Of Anthropic's own tools, Vertex AI has the search of the web and of tools. */
const missingTools = /^(advisor|(bash_|text_editor_)?code_execution|container|mcp|web_fetch)_/;

const edit = {
  removed: new Set(['anthropic_beta', 'anthropic_version', 'model']),
  added: { anthropic_version: JSON.stringify(claudeVersion) },
};

/** Requests of clients of the Messages API, for Anthropic's models on Vertex AI. */
export const vertexClaude = (serves: (offer: Offer) => boolean): NativeFormat => ({
  ...nativeMessages,
  counting: claudeCounting,
  serves,
  lacks: (request) => usesServices(request, missingTools),
  fits: (request, offer) => fitsHosted(request, offer, { betas, removed: edit.removed }),
  request(call, offer) {
    const asked = acceptedBetas(call, betas);
    return {
      method: 'POST',
      path: claudePath(offer.modelName, call.stream),
      headers: {
        'content-type': 'application/json',
        accept: call.stream ? 'text/event-stream' : 'application/json',
        ...(asked.length > 0 && { 'anthropic-beta': asked.join() }),
      },
      body: hostedBody(call, offer, edit),
    };
  },
});
