import type { CustomProvider } from '@tallyport/contracts';
import { openaiSpeech, openaiTranscriptions } from '../openai/chat.ts';
import { cacheMarks } from '../openai-compatible/cache-marks.ts';
import { openAiCompatible } from '../openai-compatible/chat.ts';
import { teiRerank } from '../rerank/tei.ts';
import type { ChatProvider } from '../spec/provider.ts';

/** A provider an operator configured: an endpoint with OpenAI's format at the operator's address. */
export function customProvider({ needsKey = true, quirks = {}, ...custom }: CustomProvider): ChatProvider {
  const { errorStatus, images, maxChoices, refuse, rerank, decisions = 'openai', ...known } = quirks;
  const provider = openAiCompatible({
    ...custom,
    auth: needsKey ? { kind: 'bearer' } : { kind: 'none' },
    images,
    maxChoices,
    // Its server decides what its models accept; numbers are what every server can send.
    embeddings: { tokens: true, dimensions: { name: 'dimensions' } },
    moderations: { parts: true },
    decisions: { format: decisions },
    rerank: { accepts: ['max_tokens_per_doc', 'priority', 'truncation'] },
    speech: openaiSpeech,
    transcriptions: openaiTranscriptions,
    quirks: {
      toolKinds: 'all',
      cacheMarks,
      files: 'url',
      ...known,
      request: { ...known.request, refuse },
      errors: errorStatus,
    },
  });
  return rerank === 'tei' ? { ...provider, rankings: teiRerank(custom.id) } : provider;
}
