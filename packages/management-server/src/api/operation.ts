import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatewayError } from '@tallyport/contracts';
import type { Access, ApiOperation } from '@tallyport/management';
import type { z } from 'zod';
import type { SessionToken } from '../secrets/token.ts';
import type { ApiCaller } from './caller.ts';
import { downloadName } from './download-name.ts';
import { parseInput } from './parse-input.ts';

/** The parts of the request that operations about sessions need. */
export interface ApiRequest {
  /** The client's address, as edge saw it. */
  readonly address: string;
  readonly sessionToken: string | undefined;
  /** Sets the session cookie, or clears it. */
  setSession(session: SessionToken | undefined): void;
}

/** An operation and its implementation, which checks input and output against the operation's schemas. */
export interface ApiEndpoint {
  readonly operation: ApiOperation;
  run(input: unknown, caller: ApiCaller | undefined, request: ApiRequest): Promise<unknown>;
}

/** An operation whose response is streamed text of any length. */
interface ApiStreamEndpoint {
  readonly operation: ApiOperation;
  stream(input: unknown, caller: ApiCaller | undefined): AsyncIterable<string>;
  /** The name of the file that the response becomes. */
  fileName(input: unknown): string;
}

export type AnyApiEndpoint = ApiEndpoint | ApiStreamEndpoint;

type Input<Operation extends ApiOperation> = z.output<Operation['input']>;
type Output<Operation extends ApiOperation> = Promise<z.input<Operation['output']>>;

/** Defines an endpoint that needs an authenticated caller. */
export function endpoint<Operation extends ApiOperation & { access: Exclude<Access, 'anyone'> }>(
  operation: Operation,
  handler: (input: Input<Operation>, caller: ApiCaller) => Output<Operation>,
): ApiEndpoint {
  return {
    operation,
    async run(input, caller) {
      if (caller === undefined) throw notSignedIn();
      const output = await handler(parseInput<Operation['input']>(operation.input, input), caller);
      // To check a long list takes as long as to read it, and so does writing it.
      await nextTurn();
      return operation.output.parse(output);
    },
  };
}

interface Download<Operation extends ApiOperation> {
  pieces(input: Input<Operation>, caller: ApiCaller): AsyncIterable<string>;
  /** What is in the file: the words of its name. */
  fileName(input: Input<Operation>): readonly (string | undefined)[];
  /** The end of its name; `csv` if absent. */
  extension?: string;
}

/** Defines an endpoint whose response is streamed as text and saved as a file. */
export function streamEndpoint<
  Operation extends ApiOperation & { access: Exclude<Access, 'anyone'>; contentType: string },
>(operation: Operation, download: Download<Operation>): ApiStreamEndpoint {
  const inputFrom = (input: unknown): Input<Operation> => parseInput<Operation['input']>(operation.input, input);
  return {
    operation,
    stream(input, caller) {
      if (caller === undefined) throw notSignedIn();
      return download.pieces(inputFrom(input), caller);
    },
    fileName: (input) => downloadName(download.fileName(inputFrom(input)), download.extension),
  };
}

/** Defines an endpoint that anyone may call. */
export function openEndpoint<Operation extends ApiOperation & { access: 'anyone' }>(
  operation: Operation,
  handler: (input: Input<Operation>, request: ApiRequest) => Output<Operation>,
): ApiEndpoint {
  return {
    operation,
    run: async (input, _caller, request) =>
      operation.output.parse(await handler(parseInput<Operation['input']>(operation.input, input), request)),
  };
}

export const notSignedIn = (): GatewayError =>
  new GatewayError(
    'invalid_api_key',
    'An admin key or a session is required. Send the key as "Authorization: Bearer <key>", or sign in.',
  );
