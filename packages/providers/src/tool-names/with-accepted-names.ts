import { oncePer } from '@tallyport/contracts';
import type { ChatChunk, ChatRequest } from '@tallyport/wire';
import type { ChatCall, ChatProvider, StreamTranslator } from '../spec/provider.ts';
import { hasTools, renamedCalls, renamedCompletion, renamedRequest } from './named-tools.ts';
import { type AcceptedNames, toolNamesOf } from './tool-names.ts';

interface AcceptedCall {
  /** `undefined` if all are accepted as they are. */
  names: AcceptedNames | undefined;
  request: ChatRequest;
}

/**
 * A provider whose vendor accepts only some names of functions. It is sent replacements of the others; the client only
 * ever sees its own names.
 */
export function withAcceptedNames(provider: ChatProvider, accepted: RegExp): ChatProvider {
  const acceptedNamesOf = oncePer((request: ChatRequest): AcceptedCall => {
    const names = toolNamesOf(request, accepted);
    return names === undefined ? { names, request } : { names, request: renamedRequest(request, names.toVendor) };
  });
  const acceptedOf = (request: ChatRequest): AcceptedCall =>
    hasTools(request) ? acceptedNamesOf(request) : { names: undefined, request };
  const sentCall = (call: ChatCall): ChatCall => {
    const { request } = acceptedOf(call.request);
    return request === call.request ? call : { ...call, request };
  };
  const { unsupported } = provider;
  return {
    ...provider,
    ...(unsupported && { unsupported: (call, offer) => unsupported(sentCall(call), offer) }),
    request: (call, offer) => provider.request(sentCall(call), offer),
    response(body, context) {
      const names = acceptedOf(context.call.request).names;
      if (names === undefined) return provider.response(body, context);
      return renamedCompletion(provider.response(body, { ...context, call: sentCall(context.call) }), names.toClient);
    },
    stream(context) {
      const names = acceptedOf(context.call.request).names;
      if (names === undefined) return provider.stream(context);
      return renamedStream(provider.stream({ ...context, call: sentCall(context.call) }), names);
    },
  };
}

function renamedStream(translator: StreamTranslator, { toClient }: AcceptedNames): StreamTranslator {
  const renamed = (chunks: ChatChunk[]): ChatChunk[] =>
    chunks.map((chunk) => ({
      ...chunk,
      choices: chunk.choices.map((choice) => ({ ...choice, delta: renamedCalls(choice.delta, toClient) })),
    }));
  return {
    ...translator,
    frame: (frame) => renamed(translator.frame(frame)),
    end: () => renamed(translator.end()),
  };
}
