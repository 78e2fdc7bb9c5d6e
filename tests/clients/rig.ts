import { type SimulatedVendors, startSimulator } from '@tallyport/simulator';
import { startGateway, type Gateway } from '../gateway/in-process.ts';
import { environmentFor, type NamedFamily } from './families.ts';

/** The gateway, started as by `npm start`, with the simulator as every vendor. */
export interface Rig {
  gateway: Gateway;
  simulator: SimulatedVendors;
  /** The simulator accepts only one key, which the gateway has by default. */
  stop(): Promise<void>;
}

const vendorKey = 'vendor-key-of-the-tests';

interface RigOptions {
  gatewayKey?: string;
  /** Settings of further vendors, given the simulator's address and the key. */
  further?: (simulatorUrl: string, key: string) => Record<string, string>;
}

export async function startRig({ gatewayKey = vendorKey, further }: RigOptions = {}): Promise<Rig> {
  const simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: [vendorKey] });
  const gateway = await startGateway({
    ...environmentFor(simulator.url, gatewayKey),
    ...further?.(simulator.url, gatewayKey),
    ALLOW_LOCAL_TARGETS: 'true',
    CACHE_TTL_SECONDS: '0',
    LIMIT_CHAT_PER_MINUTE: '0',
    LIMIT_IMAGES_PER_MINUTE: '0',
    LIMIT_MODELS_PER_MINUTE: '0',
  });
  // The test of the keys at the start is not part of any test.
  simulator.reset();
  return {
    gateway,
    simulator,
    async stop() {
      await gateway.stop();
      await simulator.close();
    },
  };
}

/** The family and the running gateway that a suite tests. */
export interface Place {
  family: NamedFamily;
  rig(): Rig;
}

/** The smallest PNG. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const pixelUrl = `data:image/png;base64,${pixel}`;

export const weatherSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
  additionalProperties: false,
} as const;
