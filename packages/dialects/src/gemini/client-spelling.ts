import { GatewayError } from '@tallyport/contracts';
import { spelledPath } from '../spelled-path.ts';

/** Runs a reader of a body. An error names its member as the client spelled it, which may be in snake_case. */
export function inClientSpelling<Value>(body: unknown, read: () => Value): Value {
  try {
    return read();
  } catch (thrown) {
    throw thrown instanceof GatewayError ? respelt(thrown, body) : thrown;
  }
}

/** The error with the names of `body` in its `param`, and at the start of its message. */
function respelt(error: GatewayError, body: unknown): GatewayError {
  const { param, message } = error;
  const own = param === undefined ? undefined : spelledPath(param, body);
  if (param === undefined || own === param) return error;
  return new GatewayError(
    error.code,
    message.replace(param, () => own ?? param),
    { ...error, param: own, cause: error },
  );
}
