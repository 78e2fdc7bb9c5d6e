import type { ExchangeAnswer } from '@tallyport/bus';
import { type ErrorForm, GatewayError } from '@tallyport/contracts';
import { inClientWords, type MemberNames } from '@tallyport/dialects';
import type { ApiForm } from '@tallyport/serving';
import type { SpokenCall } from './spoken-dialect.ts';

/** The API of a request, and its body as the client sent it. */
export interface ClientWords {
  memberNames: MemberNames;
  body: unknown;
}

/** How an API states a refusal, in its client's words. */
export const clientRefusal =
  (errors: ErrorForm, { memberNames, body }: ClientWords, requestId: string): ApiForm['refusal'] =>
  (error) =>
    errors.error(inClientWords(error, memberNames, body), requestId);

/** The answer of a translated request, whose errors name members as its client does. */
export async function inOwnWords(
  served: Promise<ExchangeAnswer>,
  { memberNames, body }: ClientWords,
  call?: Pick<SpokenCall, 'untranslatable'>,
): Promise<ExchangeAnswer> {
  try {
    return await served;
  } catch (thrown) {
    // The API's own reader has named what it could not translate.
    const isForeign = thrown instanceof GatewayError && thrown !== call?.untranslatable;
    throw isForeign ? inClientWords(thrown, memberNames, body) : thrown;
  }
}
