import { offersSandbox } from '@switchyard/catalog-svc';
import type { Kit } from '@switchyard/service-kit';
import { startSimulator, type Simulator } from '@switchyard/simulator';
import type { AllInOneConfig } from './config.ts';

/** The simulated providers, where they are wanted and do not run elsewhere. */
export async function openSandbox(kit: Kit<AllInOneConfig>): Promise<Simulator | undefined> {
  const { config } = kit;
  if (config.SANDBOX_BASE_URL !== undefined || !offersSandbox(config)) return undefined;
  const simulator = await startSimulator({ port: config.SANDBOX_PORT }).catch(onAnotherPort);
  kit.onShutdown('sandbox', () => simulator.close());
  return simulator;
}

function onAnotherPort(error: unknown): Promise<Simulator> {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return startSimulator();
  throw error;
}
