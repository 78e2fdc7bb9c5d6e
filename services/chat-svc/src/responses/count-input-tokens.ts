import type { ExchangeHandler } from '@tallyport/bus';
import { type ModelIndex, resolveModel } from '@tallyport/dispatch';
import { estimatePrompt } from '@tallyport/pricing';
import { readRequest } from '../dialects/speak-dialect.ts';
import { jsonAnswer } from '../routing/json-answer.ts';
import { readContinued, type ResponseTools } from './respond.ts';

export interface InputCountTools extends ResponseTools {
  index(): ModelIndex;
}

/** `POST /v1/responses/input_tokens`: an estimate, without calling a provider. */
export const countInputTokens =
  (tools: InputCountTools): ExchangeHandler =>
  async (exchange) => {
    const { chat } = (await readContinued(await readRequest(exchange, tools), exchange.head, tools)).call;
    resolveModel(chat.model, tools.index());
    return jsonAnswer({ object: 'response.input_tokens', input_tokens: estimatePrompt(chat) });
  };
