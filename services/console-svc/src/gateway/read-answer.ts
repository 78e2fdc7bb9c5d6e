import type { ExchangeResponse } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import type { z } from 'zod';

export const maxAnswerBytes = 32 * 1024 * 1024;

/** The JSON of a response in the form that pages need. */
export async function checkedAnswer<Schema extends z.ZodType>(
  schema: Schema,
  response: ExchangeResponse,
): Promise<z.output<Schema>> {
  const answer = schema.safeParse(await jsonOfAnswer(response));
  if (answer.success) return answer.data;
  throw new GatewayError('internal_error', 'A service returned a response that cannot be read.', {
    cause: answer.error,
  });
}

export const jsonOfAnswer = async ({ body }: ExchangeResponse): Promise<unknown> =>
  JSON.parse(Buffer.from(await body.bytes(maxAnswerBytes)).toString());
