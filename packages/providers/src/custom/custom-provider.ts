import type { CustomProvider } from '@switchyard/contracts';
import { openAiCompatible } from '../openai-compatible/chat.ts';
import type { ChatProvider } from '../provider.ts';

/** A provider an operator configured: an endpoint of OpenAI's format at an address of theirs. */
export function customProvider({ needsKey = true, quirks = {}, ...custom }: CustomProvider): ChatProvider {
  const { errorStatus, images, maxChoices, refuse, ...known } = quirks;
  return openAiCompatible({
    ...custom,
    auth: needsKey ? { kind: 'bearer' } : { kind: 'none' },
    images,
    maxChoices,
    quirks: { ...known, request: { ...known.request, refuse }, errors: errorStatus },
  });
}
