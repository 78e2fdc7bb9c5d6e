import type { ExchangeRequest, ExchangeResponse } from '@tallyport/bus';
import { GatewayError, randomHex } from '@tallyport/contracts';
import { structureProblem } from '@tallyport/wire';
import { z } from 'zod';
import { type ClientSecret, type ClientSecrets, mostSecretLength } from '../../authenticate/client-secrets.ts';
import { bytesOfBody } from '../../relay/bytes-of-body.ts';

export const clientSecretsPath = '/v1/realtime/client_secrets';

const leastSeconds = 10;
const mostSeconds = 7_200;
const usualSeconds = 600;
const largestBody = 64 * 1024;

const model = z.string().min(1).max(200);

const requestSchema = z.object({
  expires_after: z
    .object({
      anchor: z.literal('created_at').optional(),
      seconds: z.int().min(leastSeconds).max(mostSeconds).optional(),
    })
    .nullish(),
  session: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('realtime').optional(), model }),
    z.looseObject({
      type: z.literal('transcription'),
      audio: z.looseObject({ input: z.looseObject({ transcription: z.looseObject({ model }) }) }),
    }),
  ]),
});

type AskedSession = z.infer<typeof requestSchema>['session'];

interface Minting {
  secrets: Pick<ClientSecrets, 'seal'>;
  /** Of the key that asks. */
  keyHash: string;
  now: number;
}

/** `POST /v1/realtime/client_secrets`: a short-lived secret for a page of a browser. Nothing is stored. */
export async function mintClientSecret(
  { body }: Pick<ExchangeRequest, 'body'>,
  { secrets, keyHash, now }: Minting,
): Promise<ExchangeResponse> {
  const { expires_after: lifetime, session } = checked(await bytesOfBody(body, largestBody));
  const expiresAt = Math.floor(now / 1000) + (lifetime?.seconds ?? usualSeconds);
  const { object, shown, ...permitted } = permittedBy(session);
  const value = secrets.seal({ keyHash, expiresAt, ...permitted });
  if (value.length > mostSecretLength) throw tooLarge();
  return jsonResponse({ value, expires_at: expiresAt, session: { id: `sess_${randomHex()}`, object, ...shown } });
}

interface Permitted extends Pick<ClientSecret, 'type' | 'model' | 'session'> {
  /** As OpenAI names it. */
  object: string;
  shown: object;
}

function permittedBy(session: AskedSession): Permitted {
  if (session.type === 'transcription') {
    const { type, audio } = session;
    return {
      object: 'realtime.transcription_session',
      type,
      model: audio.input.transcription.model,
      session,
      shown: session,
    };
  }
  const { model, type = 'realtime', ...more } = session;
  const hasMore = Object.keys(more).length > 0;
  const shown = { type, model, ...more };
  return { object: 'realtime.session', type, model, shown, ...(hasMore && { session: { type, ...more } }) };
}

function checked(bytes: Uint8Array): z.infer<typeof requestSchema> {
  const result = requestSchema.safeParse(parsed(bytes));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const param = issue?.path.join('.') ?? '';
  throw new GatewayError('invalid_parameters', `${param || 'The body'}: ${rules}`, param === '' ? {} : { param });
}

const rules = `send {"session": {"type": "realtime", "model": …}}, or {"session": {"type": "transcription", "audio": {"input": {"transcription": {"model": …}}}}}, and "expires_after": {"seconds": ${leastSeconds} to ${mostSeconds}} if wanted.`;

/** `undefined` also for what is too deep to be written again. */
function parsed(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return structureProblem(value) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

function jsonResponse(document: object): ExchangeResponse {
  const bytes = Buffer.from(JSON.stringify(document));
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return {
    head: { status: 200, headers: { ...headers, 'content-length': String(bytes.length) } },
    body: {
      bytes: async () => bytes,
      cancel: () => undefined,
      async *[Symbol.asyncIterator]() {
        yield bytes;
      },
    },
  };
}

const tooLarge = (): GatewayError =>
  new GatewayError(
    'request_too_large',
    'session: it is too large to travel in a secret. Send instructions and tools with session.update.',
    { param: 'session' },
  );
