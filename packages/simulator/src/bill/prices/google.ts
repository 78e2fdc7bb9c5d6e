import type { ModelPrices, PriceTable } from '../price-table.ts';

interface Gemini {
  readonly input: string;
  readonly output: string;
  readonly read: string;
  /** Of audio, where it costs more than text. */
  readonly audio?: string;
  readonly audioRead?: string;
}

const tokensOf = ({ input, output, read, audio = input, audioRead = read }: Gemini): ModelPrices['tokens'] => ({
  input,
  audio_input: audio,
  cache_read: read,
  audio_cache_read: audioRead,
  tool_prompt: input,
  output,
  reasoning: output,
});

const gemini = (prices: Gemini): ModelPrices => ({
  tokens: tokensOf(prices),
  calls: { grounding: '14' },
  tiers: { flex: '0.5', batch: '0.5', priority: '1.8' },
});

export const googlePrices: PriceTable = {
  'gemini-embedding-001': { tokens: { input: '0.15' } },
  'gemini-2.5-flash': {
    ...gemini({ input: '0.3', output: '2.5', read: '0.03', audio: '1', audioRead: '0.1' }),
    calls: { grounding: '35' },
  },
  'gemini-2.5-flash-lite': {
    ...gemini({ input: '0.1', output: '0.4', read: '0.01', audio: '0.3', audioRead: '0.03' }),
    calls: { grounding: '35' },
  },
  'gemini-3-flash-preview': gemini({ input: '0.5', output: '3', read: '0.05', audio: '1', audioRead: '0.1' }),
  'gemini-3.1-flash-lite': gemini({ input: '0.25', output: '1.5', read: '0.025', audio: '0.5', audioRead: '0.05' }),
  'gemini-3.1-pro-preview': {
    ...gemini({ input: '2', output: '12', read: '0.2' }),
    long: { above: 200_000, tokens: tokensOf({ input: '4', output: '18', read: '0.4' }) },
  },
  'gemini-3.5-flash': gemini({ input: '1.5', output: '9', read: '0.15' }),
  'gemini-3.6-flash': gemini({ input: '0.75', output: '3.75', read: '0.075' }),
};
