import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ProviderAnswer } from './answer.ts';
import { deliver } from './deliver.ts';
import type { ArmedFaults } from './faults/armed.ts';
import { FaultSyntaxError, type FaultEffect } from './faults/fault.ts';
import { parseFaults } from './faults/grammar.ts';
import { openAiDialect } from './openai/dialect.ts';
import { bodyTooLarge, openAiErrorReply, invalidRequest, notAllowed, notFound } from './openai/errors.ts';
import type { Pacer } from './pacer.ts';
import type { Received, Recorder } from './recorder.ts';
import { receiveBody } from './request-body.ts';
import type { VendorRoute } from './route.ts';
import type { Scripts } from './scripts/scripts.ts';

interface ServerParts {
  /** All families' routes; the first match answers. */
  readonly routes: readonly VendorRoute[];
  readonly armed: ArmedFaults;
  readonly scripts: Scripts;
  readonly recorder: Recorder;
  readonly pacer: Pacer;
  readonly maxBodyBytes: number;
}

/** Handles a simulated request: records it, reads it, answers it, applies faults and delivers. */
export function createHandler(parts: ServerParts): RequestListener {
  return (request, response) => {
    const path = pathOf(request);
    const target = findTarget(parts.routes, request.method ?? 'GET', path);
    const received = parts.recorder.begin({
      provider: target.provider,
      method: request.method ?? 'GET',
      path,
      headers: request.headers,
    });
    const send = createSender({ parts, received, response });
    serve({ parts, target, received, request, send }).catch((error: unknown) =>
      send(openAiErrorReply({ ...invalidRequest(`The simulator is broken: ${String(error)}`, null), status: 500 })),
    );
  };
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/';

const queryOf = ({ url = '' }: IncomingMessage): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

type Target = { provider: string } & ({ route: VendorRoute } | { route?: undefined; refusal: ProviderAnswer });

function findTarget(routes: readonly VendorRoute[], method: string, path: string): Target {
  const fitting = routes.filter((route) => route.path.test(path));
  const route = fitting.find((candidate) => candidate.method === method);
  const provider = route?.path.exec(path)?.groups?.provider ?? route?.provider ?? 'none';
  if (route !== undefined) return { provider, route };
  return {
    provider,
    refusal: openAiErrorReply(fitting.length > 0 ? notAllowed(method, path) : notFound(method, path)),
  };
}

interface Serving {
  parts: ServerParts;
  target: Target;
  received: Received;
  request: IncomingMessage;
  send: (answer: ProviderAnswer) => void;
}

async function serve({ parts, target, received, request, send }: Serving): Promise<void> {
  const body = await receiveBody(request, parts.maxBodyBytes);
  if (body.kind === 'aborted') return;
  if (body.kind === 'too-large') return send(refuseSize(target, parts.maxBodyBytes));
  parts.recorder.body(received, body.bytes);
  if (target.route === undefined) return send(target.refusal);
  const { provider, method, path, headers } = received;
  // Long answers are not encoded one after the other in one turn of the event loop.
  await nextTurn();
  const {
    answer,
    model,
    images,
    metered,
    dialect = target.route.dialect,
  } = target.route.answer({
    provider,
    method,
    path,
    headers,
    query: queryOf(request),
    body: body.bytes,
  });
  received.model = model;
  const fault = findFault(parts, target.route, received);
  const final = fault === undefined ? answer : fault(answer, dialect);
  if (isGood(final)) {
    received.metered = metered;
    if (images !== undefined) parts.recorder.images(received, images);
  }
  send(final);
}

/** No vendor bills an answer that ends with an error. */
const isGood = (answer: ProviderAnswer): boolean =>
  answer.kind === 'reply' && answer.status < 300 && answer.pieces.every(({ part }) => part !== 'error');

function refuseSize({ route }: Target, maxBytes: number): ProviderAnswer {
  const reply =
    route === undefined || route.dialect === openAiDialect
      ? openAiErrorReply(bodyTooLarge(maxBytes))
      : route.dialect.failure(413);
  return { ...reply, headers: { ...reply.headers, connection: 'close' } };
}

/**
 * A fault in the header applies to this request only and does not use up armed faults. A script applies if no fault is
 * armed.
 */
function findFault({ armed, scripts }: ServerParts, route: VendorRoute, received: Received): FaultEffect | undefined {
  const words = received.headers['x-sim-fault'];
  if (typeof words === 'string') {
    received.fault = words;
    return faultOfHeader(words);
  }
  const wanted = { provider: received.provider, model: received.model };
  const taken = route.faulty ? (armed.take(wanted) ?? scripts.take(wanted)) : undefined;
  received.fault = taken?.words;
  return taken?.fault;
}

function faultOfHeader(words: string): FaultEffect {
  try {
    return parseFaults(words);
  } catch (error) {
    if (!(error instanceof FaultSyntaxError)) throw error;
    const { message } = error;
    return () => openAiErrorReply(invalidRequest(message, 'x-sim-fault', 'invalid_fault'));
  }
}

function createSender(place: { parts: ServerParts; received: Received; response: ServerResponse }) {
  const { parts, received, response } = place;
  let broken = false;
  response.once('close', () => {
    const cutOff = broken ? 'broken' : 'aborted';
    parts.recorder.end(received, response.writableFinished ? 'answered' : cutOff);
  });
  return (answer: ProviderAnswer) => {
    if (response.destroyed || response.headersSent) return;
    const breakOff = () => {
      broken = true;
    };
    deliver(answer, { response, received, pacer: parts.pacer, breakOff });
  };
}
