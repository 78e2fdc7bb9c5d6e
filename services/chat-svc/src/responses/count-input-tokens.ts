import type { ExchangeHandler } from '@tallyport/bus';
import { openAiResponses } from '@tallyport/dialects';
import { answerCount, type CountTools } from '../dialects/count-tokens.ts';
import { inOwnWords } from '../dialects/own-words.ts';
import { readRequest } from '../dialects/speak-dialect.ts';
import { readContinued, type ResponseTools } from './respond.ts';

export type InputCountTools = ResponseTools & CountTools;

/** `POST /v1/responses/input_tokens`, with the conversation that it continues. */
export const countInputTokens =
  (tools: InputCountTools): ExchangeHandler =>
  async (exchange) => {
    const { head } = exchange;
    const request = await readRequest(exchange, tools);
    const { call } = await readContinued(request, exchange, tools);
    const words = { memberNames: openAiResponses.memberNames, body: request.body };
    const question = { head, api: openAiResponses.name, call, routing: request, answer };
    return inOwnWords(answerCount(tools, question), words, call);
  };

const answer = (tokens: number): object => ({ object: 'response.input_tokens', input_tokens: tokens });
