import type { ExchangeHandler } from '@tallyport/bus';
import type { DispatchOptions } from '@tallyport/dispatch';
import type { GuardrailTools, Life } from '@tallyport/serving';
import type { Kit } from '@tallyport/service-kit';
import { speech } from './audio/speak.ts';
import { transcriptions } from './audio/transcribe.ts';
import { type CallApi, type CallEndpoint, callEndpoint, type CallTools } from './calls/call-endpoint.ts';
import { decisions } from './decisions/decide.ts';
import { embeddings } from './embeddings/embed.ts';
import { moderations } from './moderations/moderate.ts';
import { rankings } from './rerank/rerank.ts';

interface CallEndpoints {
  handlers: Readonly<
    Record<
      'decide' | 'decideState' | 'embed' | 'embedByType' | 'moderate' | 'rerank' | 'speak' | 'transcribe' | 'translate',
      ExchangeHandler
    >
  >;
  /** Embeddings in another API. */
  embedIn(api: CallApi): ExchangeHandler;
  /** Closes every provider connection. */
  close(): Promise<unknown>;
}

/** The endpoints with models of their own. */
export function openCallEndpoints(
  kit: Kit,
  options: DispatchOptions,
  { life, ...tools }: Omit<CallTools, 'targets'> & { life: Life; guardrails: GuardrailTools },
): CallEndpoints {
  const callTools = { ...tools, targets: options.targets };
  const opened: Pick<CallEndpoint<never>, 'close'>[] = [];
  const paid = <Call>(endpoint: CallEndpoint<Call>): ExchangeHandler => {
    opened.push(endpoint);
    return life.pay(callEndpoint(callTools, endpoint));
  };
  const { embed, embedByType } = embeddings(kit, options);
  const { decide, decideState } = decisions(kit, options);
  const guarded = { ...options, guardrails: tools.guardrails };
  return {
    handlers: {
      decide: paid(decide),
      decideState: paid(decideState),
      embed: paid(embed),
      embedByType: paid(embedByType),
      moderate: paid(moderations(kit, options)),
      rerank: paid(rankings(kit, options)),
      speak: paid(speech(kit, options)),
      transcribe: paid(transcriptions('transcribe', kit, guarded)),
      translate: paid(transcriptions('translate', kit, guarded)),
    },
    embedIn: (api) => life.pay(callEndpoint(callTools, { ...embed, api })),
    close: () => Promise.all(opened.map((endpoint) => endpoint.close())),
  };
}
