import type { ExchangeAnswer } from '@tallyport/bus';
import { GatewayError, isErrorCode } from '@tallyport/contracts';
import { z } from 'zod';

const bodySchema = z.object({ error: z.object({ code: z.string().nullable(), message: z.string() }) });

/** Why a run was refused. A refusal with headers of its own is an answer in its API, with the code of the error. */
export async function errorOfRefusal(refusal: ExchangeAnswer | GatewayError): Promise<GatewayError> {
  if (refusal instanceof GatewayError) return refusal;
  const { body } = refusal;
  const read =
    body instanceof Uint8Array ? bodySchema.safeParse(JSON.parse(Buffer.from(body).toString())).data : undefined;
  const code = read?.error.code ?? null;
  return new GatewayError(isErrorCode(code) ? code : 'unavailable', read?.error.message ?? 'The request was refused.');
}
