import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';
import { type ErrorCode, GatewayError } from '@tallyport/contracts';
import { ResponseBodyError, WWWAuthenticateChallengeError } from 'oauth4webapi';
import { UpstreamFailure, UrlRefusal } from '@tallyport/outbound';
import { ServerMisuse } from './answer-bounds.ts';
import { readableText } from './bounded-value.ts';
import type { RedactSecrets } from './redact.ts';

const messageLength = 1_000;

export interface FailureSource {
  /** The server's name. */
  name: string;
  redact: RedactSecrets;
}

/**
 * Translates an error of a registered server. Only messages in the MCP protocol, which are meant for the model, are
 * passed on; bodies of HTTP errors may repeat what was sent.
 */
export function serverFailure(thrown: unknown, { name, redact }: FailureSource): GatewayError {
  const error = rootOf(thrown);
  if (error instanceof GatewayError) return error;
  const detail = redact(detailOf(error)).slice(0, messageLength);
  if (error instanceof ProtocolError) {
    const message = `${name}: ${readableText(redact(error.message), messageLength)}`;
    return new GatewayError('upstream_error', message, { detail });
  }
  const { code, says } = explanationOf(error);
  return new GatewayError(code, `The MCP server ${name} ${says}`, { detail });
}

/** Whether the server is broken or unreachable, so that it should not be called for a while. */
export function isServerDown(thrown: unknown): boolean {
  const error = rootOf(thrown);
  if (error instanceof UpstreamFailure) return error.kind !== 'too_large' && error.kind !== 'left';
  return isTimeout(error) || (!isRefused(error) && (statusOf(error) ?? 0) >= 500);
}

interface Explanation {
  code: ErrorCode;
  says: string;
}

function explanationOf(error: unknown): Explanation {
  if (error instanceof ServerMisuse) return { code: 'upstream_error', says: error.says };
  if (isRefused(error)) {
    return {
      code: 'upstream_auth',
      says: "refused the gateway's credentials. An admin of the account must check them.",
    };
  }
  if (statusOf(error) === 429) return { code: 'providers_rate_limited', says: 'is rate limited. Try again later.' };
  if (error instanceof UpstreamFailure && error.kind === 'too_large') {
    return { code: 'upstream_error', says: 'sent a response that is too large.' };
  }
  if (isTimeout(error)) return { code: 'upstream_timeout', says: 'did not respond in time. Try again later.' };
  return { code: 'upstream_error', says: 'does not respond correctly. Try again later.' };
}

/** The MCP library wraps what fails while it connects. */
const rootOf = (thrown: unknown): unknown =>
  thrown instanceof SdkError && thrown.cause instanceof Error ? rootOf(thrown.cause) : thrown;

const isRefused = (thrown: unknown): boolean =>
  thrown instanceof UnauthorizedError ||
  (isTokenRefusal(thrown) && thrown.status < 500) ||
  [401, 403].includes(statusOf(thrown) ?? 0);

/** The authorization server refused to issue a token. */
const isTokenRefusal = (thrown: unknown): thrown is ResponseBodyError | WWWAuthenticateChallengeError =>
  thrown instanceof ResponseBodyError || thrown instanceof WWWAuthenticateChallengeError;

const statusOf = (thrown: unknown): number | undefined =>
  thrown instanceof SdkHttpError || isTokenRefusal(thrown) ? thrown.status : undefined;

const isTimeout = (thrown: unknown): boolean =>
  (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) ||
  (thrown instanceof Error && thrown.name === 'TimeoutError') ||
  (thrown instanceof UpstreamFailure && thrown.kind === 'connect_timeout');

/** For the log. Messages of HTTP errors contain the body. */
function detailOf(thrown: unknown): string {
  const status = statusOf(thrown);
  if (status !== undefined) return `status ${status}`;
  if (!(thrown instanceof Error)) return 'unknown error';
  const cause = thrown.cause instanceof Error ? `: ${thrown.cause.message}` : '';
  return thrown instanceof UrlRefusal ? `its URL ${thrown.message}` : `${thrown.name}: ${thrown.message}${cause}`;
}
