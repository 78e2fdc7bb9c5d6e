import { GatewayError } from '@tallyport/contracts';
import { createPools, UpstreamFailure, type WireRequest } from '@tallyport/outbound';
import type { ChatProvider } from '@tallyport/providers';
import { createNetwork, type Network } from '../credentials/network.ts';
import { jsonOrText } from '../failure/json-or-text.ts';
import type { Target } from '../targets/targets.ts';
import { sendGet } from './send-get.ts';

/** What a free request says about a key. `untested`: nothing, because the vendor has none or answered otherwise. */
export type KeyState = 'works' | 'refused' | 'unreachable' | 'untested';

export interface KeyChecker {
  /** Tests the key of a target once. Never throws. */
  check(provider: Pick<ChatProvider, 'keyCheck' | 'error'>, target: Target): Promise<KeyState>;
  close(): Promise<void>;
}

interface KeyCheckerLimits {
  deadlineMs: number;
  /** A list of models may be long, and all of it is read. */
  maxBytes: number;
}

const usualLimits: KeyCheckerLimits = { deadlineMs: 5_000, maxBytes: 4 * 1024 * 1024 };

/** Tests keys with a request that costs nothing, such as the vendor's list of models. */
export function createKeyChecker(limits = usualLimits): KeyChecker {
  const pools = createPools({ connectMs: limits.deadlineMs });
  const network = createNetwork(pools, limits);
  return {
    async check(provider, target) {
      try {
        return await stateOf(provider, target, network);
      } catch (error) {
        if (error instanceof UpstreamFailure) return 'unreachable';
        return isRefusal(error) ? 'refused' : 'untested';
      }
    },
    close: () => pools.close(),
  };
}

async function stateOf(
  { keyCheck, error }: Pick<ChatProvider, 'keyCheck' | 'error'>,
  target: Target,
  network: Network,
): Promise<KeyState> {
  if (keyCheck === undefined) return 'untested';
  if (keyCheck.kind === 'token') return fetchToken(target, network);
  const { status, text } = await sendGet(target, keyCheck, network);
  if (status === 200) return 'works';
  return isRefusal(error(status, {}, jsonOrText(text))) ? 'refused' : 'untested';
}

/** A token is issued only for a valid key. */
async function fetchToken({ origin, pathPrefix, authorize }: Target, network: Network): Promise<KeyState> {
  if (authorize === undefined) return 'untested';
  const request: WireRequest = { origin, path: pathPrefix, method: 'GET', headers: {}, body: '' };
  await authorize(request, network);
  return 'works';
}

const isRefusal = (error: unknown): boolean => error instanceof GatewayError && error.code === 'upstream_auth';
