import type { ExchangeHandler } from '@switchyard/bus';
import { needsOf, planChat, unsupportedIn } from '@switchyard/dispatch';
import { parseRequest } from '../parse-request.ts';
import { jsonAnswer } from './json-answer.ts';
import { describePlan } from './describe.ts';
import type { Routing } from './routing.ts';

/** `POST /v1/routes/explain`: what would be tried for this very request and why. Nothing is called, nothing is spent. */
export const explainRoute =
  (routing: Routing, maxBodyBytes: number): ExchangeHandler =>
  async ({ head, body }) => {
    const request = parseRequest(await body.bytes(maxBodyBytes));
    const streaming = request.stream === true;
    const question = {
      model: request.model,
      needs: needsOf(request),
      unsupported: unsupportedIn({ request, stream: streaming }),
      principal: head.principal,
      noFallback: /^(true|1)$/i.test(head.headers['x-no-fallback'] ?? ''),
      streaming,
    };
    // 1 explores nothing: the answer is what nearly every request gets.
    return jsonAnswer(describePlan(planChat(question, { ...routing.ground(), random: 1 }), routing));
  };
