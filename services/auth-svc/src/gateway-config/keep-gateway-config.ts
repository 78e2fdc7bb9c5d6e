import type { CallInAccount } from '@tallyport/gateway-document';
import type { PlannedChanges } from '@tallyport/management-server';
import { FileError } from '@tallyport/wire/yaml';
import type { GatewayConfigEvents } from './events.ts';
import type { GatewayFileConfig } from './config.ts';
import { applyRound } from './apply-round.ts';
import { openGatewayFile } from './gateway-file.ts';
import { mountedSecrets } from './mounted-secrets.ts';

interface GatewayConfigTools {
  config: GatewayFileConfig;
  planned: Pick<PlannedChanges, 'alone'>;
  manage: CallInAccount;
  events: GatewayConfigEvents;
  /** Throws until the database is prepared. */
  ready(): void;
}

export interface GatewayConfigKeeper {
  start(): void;
  stop(): Promise<void>;
}

const lookMs = 1_000;
const longestWaitMs = 30_000;

/**
 * Applies the document at the start and when the file changes. Replicas take turns; the second one finds nothing to
 * change. An invalid document changes nothing; a failed step is tried again.
 */
export function keepGatewayConfig(path: string, tools: GatewayConfigTools): GatewayConfigKeeper {
  const { config, planned, manage, events, ready } = tools;
  const file = openGatewayFile(path, config.GATEWAY_CONFIG_SECRETS);
  const options = {
    manage,
    readSecret: mountedSecrets(config.GATEWAY_CONFIG_SECRETS),
    prune: config.GATEWAY_CONFIG_PRUNE,
    onDone: events.stepDone,
  };
  const stopping = new AbortController();
  let isOpen = false;
  let waitMs = lookMs;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    if (await file.hasChanged()) {
      isOpen = true;
      waitMs = lookMs;
    }
    if (!isOpen) return;
    ready();
    const read = await file.read();
    const isApplied = await planned.alone(() => applyRound(read, { ...options, signal: stopping.signal }));
    if (!isApplied) return;
    isOpen = false;
    events.applied(path);
  }

  async function lookSafely(): Promise<void> {
    try {
      await look();
      waitMs = lookMs;
    } catch (error) {
      if (error instanceof FileError) {
        isOpen = false;
        events.refused(error);
      } else {
        events.failed(error);
        waitMs = Math.min(waitMs * 2, longestWaitMs);
      }
    }
    plan();
  }

  function plan(): void {
    if (!stopping.signal.aborted) timer = setTimeout(() => void (running = lookSafely()), waitMs);
  }

  return {
    start: () => void (running = lookSafely()),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
