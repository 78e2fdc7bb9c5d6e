import { offersSandbox } from '@tallyport/catalog-svc';
import type { Kit } from '@tallyport/service-kit';
import { imageModel, type Simulator, startSandbox } from '@tallyport/sandbox';
import { allInOneConfig, type AllInOneConfig } from './config.ts';

/** Starts the simulated providers if they are offered and do not run elsewhere. */
export async function openSandbox(
  kit: Kit<AllInOneConfig>,
  gatewayUrl: () => string | undefined,
): Promise<Simulator | undefined> {
  const { config } = kit;
  if (config.SANDBOX_BASE_URL !== undefined || !offersSandbox(config)) return undefined;
  const simulator = await startSandbox({ port: config.SANDBOX_PORT, gatewayUrl }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return startSandbox({ gatewayUrl });
    throw error;
  });
  kit.onShutdown('sandbox', () => simulator.close());
  return simulator;
}

const imageDefaults = ['MCP_IMAGE_MODEL', 'MCP_PREVIEW_MODEL', 'ROUTING_IMAGE_AUTO_MODEL'] as const;

/** How soon a repaired provider is noticed. Simulated ones are repaired by a person who watches. */
const resetMs = 10_000;

/** If only the simulated providers can answer, they become the default for images as well, and recover sooner. */
export function simulatedDefaults(config: AllInOneConfig): Partial<AllInOneConfig> {
  if (config.SANDBOX !== 'auto') return {};
  const untouched = imageDefaults.filter((name) => config[name] === allInOneConfig[name].default);
  return {
    ...Object.fromEntries(untouched.map((name) => [name, imageModel])),
    ROUTING_BREAKER_RESET_MS: Math.min(config.ROUTING_BREAKER_RESET_MS, resetMs),
  };
}
