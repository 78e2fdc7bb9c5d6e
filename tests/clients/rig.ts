import { startSimulator, type Simulator } from '@switchyard/simulator';
import { startOneProcess, type OneProcess } from '../gateway/one-process.ts';
import { environmentFor, type NamedFamily } from './families.ts';

/** The gateway as `npm start` starts it, with the simulator behind every family. */
export interface Rig {
  gateway: OneProcess;
  simulator: Simulator;
  /** The one key the simulator lets in is the gateway's, unless told. */
  stop(): Promise<void>;
}

const vendorKey = 'vendor-key-of-the-tests';

export interface RigOptions {
  gatewayKey?: string;
  /** What further vendors need, given the simulator's address and the key. */
  further?: (simulatorUrl: string, key: string) => Record<string, string>;
}

export async function startRig({ gatewayKey = vendorKey, further }: RigOptions = {}): Promise<Rig> {
  const simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: [vendorKey] });
  const gateway = await startOneProcess({
    ...environmentFor(simulator.url, gatewayKey),
    ...further?.(simulator.url, gatewayKey),
    IMAGE_URL_ALLOW_LOCAL: 'true',
    CACHE_TTL_SECONDS: '0',
    LIMIT_CHAT_PER_MINUTE: '0',
    LIMIT_IMAGES_PER_MINUTE: '0',
  });
  return {
    gateway,
    simulator,
    async stop() {
      await gateway.stop();
      await simulator.close();
    },
  };
}

/** What a suite runs against: a family, behind a running gateway. */
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
