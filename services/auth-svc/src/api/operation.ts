import { GatewayError } from '@switchyard/contracts';
import type { z } from 'zod';
import type { SessionToken } from '../sessions/token.ts';
import type { Access } from './access.ts';
import type { ApiCaller } from './caller.ts';
import { parseInput } from './parse-input.ts';

/**
 * One operation of the management API, as data: the router and the OpenAPI document are made from it. Members of `input`
 * that the path names in braces come from there; the others from the body, or from the query of GET and DELETE.
 */
export interface ApiOperation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly access: Access;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** 200 where nothing else is said. */
  readonly status?: 201;
  /** Of what is streamed; everything else is JSON. */
  readonly contentType?: string;
  /** For the API document: a body that works on a fresh installation. */
  readonly example?: { readonly summary: string; readonly value: object };
}

export type ApiOperations = Readonly<Record<string, ApiOperation>>;

/** What an operation about sessions needs of the request itself. */
export interface ApiRequest {
  /** The client's, as edge saw it. */
  readonly address: string;
  readonly sessionToken: string | undefined;
  /** Signs the browser in, or out. */
  setSession(session: SessionToken | undefined): void;
}

/** An operation and what does it. Checked input goes in, checked output comes out. */
export interface ApiEndpoint {
  readonly operation: ApiOperation;
  run(input: unknown, caller: ApiCaller | undefined, request: ApiRequest): Promise<unknown>;
}

/** The same for text of any length, which is sent while it is read. */
export interface ApiStreamEndpoint {
  readonly operation: ApiOperation;
  stream(input: unknown, caller: ApiCaller | undefined): AsyncIterable<string>;
}

export type AnyApiEndpoint = ApiEndpoint | ApiStreamEndpoint;

type Input<Operation extends ApiOperation> = z.output<Operation['input']>;
type Output<Operation extends ApiOperation> = Promise<z.input<Operation['output']>>;

/** For operations that somebody has to be allowed to do. */
export function endpoint<Operation extends ApiOperation & { access: Exclude<Access, 'anyone'> }>(
  operation: Operation,
  handler: (input: Input<Operation>, caller: ApiCaller) => Output<Operation>,
): ApiEndpoint {
  return {
    operation,
    async run(input, caller) {
      if (caller === undefined) throw notSignedIn();
      return operation.output.parse(await handler(parseInput<Operation['input']>(operation.input, input), caller));
    },
  };
}

/** For operations whose answer is streamed as text. */
export function streamEndpoint<
  Operation extends ApiOperation & { access: Exclude<Access, 'anyone'>; contentType: string },
>(
  operation: Operation,
  handler: (input: Input<Operation>, caller: ApiCaller) => AsyncIterable<string>,
): ApiStreamEndpoint {
  return {
    operation,
    stream(input, caller) {
      if (caller === undefined) throw notSignedIn();
      return handler(parseInput<Operation['input']>(operation.input, input), caller);
    },
  };
}

/** For operations that everybody may ask for. */
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
    'This needs an admin key or a session. Send the key as "Authorization: Bearer <key>", or sign in.',
  );
