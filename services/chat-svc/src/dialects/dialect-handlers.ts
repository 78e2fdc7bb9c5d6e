import {
  geminiDialect,
  geminiTokenCount,
  messagesDialect,
  messagesTokenCount,
  openAiCompletions,
} from '@tallyport/dialects';
import { countTokens, type CountTools } from './count-tokens.ts';
import { type GeminiEmbedTools, withGeminiEmbeddings } from './embed-gemini.ts';
import { type DialectTools, speakDialect } from './speak-dialect.ts';

/** The handlers of the APIs of other vendors, and of OpenAI's legacy completions. */
export const dialectHandlers = (tools: DialectTools & CountTools & GeminiEmbedTools) => ({
  messages: speakDialect(messagesDialect, tools),
  countTokens: countTokens(messagesTokenCount, tools),
  completeText: speakDialect(openAiCompletions, tools),
  generateContent: withGeminiEmbeddings(speakDialect(geminiDialect, tools), tools),
  countGeminiTokens: countTokens(geminiTokenCount, tools),
});
