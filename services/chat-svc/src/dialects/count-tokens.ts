import type { ExchangeHandler } from '@switchyard/bus';
import type { TokenCount } from '@switchyard/dialects';
import { type ModelIndex, resolveModel } from '@switchyard/dispatch';
import { estimatePrompt } from '@switchyard/pricing';
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
