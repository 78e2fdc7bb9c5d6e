import type { ExchangeHandler } from '@tallyport/bus';
import type { TokenCount } from '@tallyport/dialects';
import { type ModelIndex, resolveModel } from '@tallyport/dispatch';
import { estimatePrompt } from '@tallyport/pricing';
import { jsonAnswer } from '../routing/json-answer.ts';
import { type DialectTools, readRequest } from './speak-dialect.ts';

export interface CountTools extends Pick<DialectTools, 'budget' | 'maxBodyBytes'> {
  index(): ModelIndex;
}

/** Estimates the tokens of a prompt without calling a provider. */
export const countTokens =
  ({ read, answer }: TokenCount, tools: CountTools): ExchangeHandler =>
  async (exchange) => {
    const request = read(await readRequest(exchange, tools));
    resolveModel(request.model, tools.index());
    return jsonAnswer(answer(estimatePrompt(request)));
  };
