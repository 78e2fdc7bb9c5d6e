import { ApplyError, describeStep, type PlanStep } from '@tallyport/gateway-document';
import type { FileError } from '@tallyport/wire/yaml';
import { type Kit, throttledLog } from '@tallyport/service-kit';

export interface GatewayConfigEvents {
  stepDone(step: PlanStep): void;
  applied(file: string): void;
  refused(error: FileError): void;
  failed(error: unknown): void;
}

/** Counts and logs what happens to the document of GATEWAY_CONFIG. Secrets do not appear. */
export function gatewayConfigEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): GatewayConfigEvents {
  const steps = metrics.counter({
    name: 'gateway_config_changes_total',
    help: 'Changes made by this replica to apply GATEWAY_CONFIG.',
    labels: { action: ['create', 'change', 'delete'] },
  });
  const refused = metrics.gauge({
    name: 'gateway_config_refused',
    help: '1 while the document of GATEWAY_CONFIG is invalid and not applied.',
  });
  const failed = metrics.gauge({
    name: 'gateway_config_failed',
    help: '1 while applying the document of GATEWAY_CONFIG fails and is tried again.',
  });
  const warn = throttledLog(log);
  return {
    stepDone(step) {
      steps.with({ action: step.action }).increment();
      log.info({ account: step.account, step: describeStep(step) }, 'gateway document: step done');
    },
    applied(file) {
      refused.with().set(0);
      failed.with().set(0);
      log.info({ file }, 'gateway document applied');
    },
    refused({ message }) {
      refused.with().set(1);
      log.error({ problem: message }, 'gateway document refused, nothing was changed');
    },
    failed(error) {
      failed.with().set(1);
      const step = error instanceof ApplyError ? describeStep(error.failed) : undefined;
      warn('gateway document', { error, step }, 'gateway document not applied, trying again');
    },
  };
}
