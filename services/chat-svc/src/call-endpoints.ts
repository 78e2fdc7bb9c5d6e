import type { ExchangeHandler } from '@tallyport/bus';
import type { DispatchOptions } from '@tallyport/dispatch';
import type { GuardrailTools, Life } from '@tallyport/serving';
import type { Kit } from '@tallyport/service-kit';
import { speech } from './audio/speak.ts';
import { transcriptions } from './audio/transcribe.ts';
import { type CallApi, callEndpoint, type CallTools } from './calls/call-endpoint.ts';
import { embeddings } from './embeddings/embed.ts';
import { moderations } from './moderations/moderate.ts';

interface CallEndpoints {
  handlers: Readonly<Record<'embed' | 'moderate' | 'speak' | 'transcribe' | 'translate', ExchangeHandler>>;
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
  const [embed, moderate, speak] = [embeddings(kit, options), moderations(kit, options), speech(kit, options)];
  const guarded = { ...options, guardrails: tools.guardrails };
  const transcribe = transcriptions('transcribe', kit, guarded);
  const translate = transcriptions('translate', kit, guarded);
  const all = [embed, moderate, speak, transcribe, translate];
  return {
    handlers: {
      embed: life.pay(callEndpoint(callTools, embed)),
      moderate: life.pay(callEndpoint(callTools, moderate)),
      speak: life.pay(callEndpoint(callTools, speak)),
      transcribe: life.pay(callEndpoint(callTools, transcribe)),
      translate: life.pay(callEndpoint(callTools, translate)),
    },
    embedIn: (api) => life.pay(callEndpoint(callTools, { ...embed, api })),
    close: () => Promise.all(all.map((endpoint) => endpoint.close())),
  };
}
