import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { startPostgres, startRedis } from '../../tests/support/servers.ts';
import { startFloor } from '../floor/floor.ts';
import { type Generator, startGenerator } from '../load/generator.ts';
import type { Pids } from '../measure/cpu.ts';
import { startBusServer } from '../support/nats.ts';
import type { Undo } from '../support/undo.ts';
import type { System } from '../system.ts';
import { startUpstream, type UpstreamProcess } from '../upstream/upstream.ts';

/** The gateway and the floor, with an upstream and a load generator for images and another pair for chats. */
export interface ImageBench {
  images: UpstreamProcess;
  chats: UpstreamProcess;
  imageLoad: Generator;
  chatLoad: Generator;
  floor: Pick<System, 'headers' | 'port'>;
  gateway: Pick<System, 'headers' | 'port'>;
  /** Process ids of edge and image-svc. */
  pids: Pids;
}

export async function openImageBench(undo: Undo): Promise<ImageBench> {
  const [images, chats] = await startAll(undo, [startUpstream(), startUpstream()]);
  const [imageLoad, chatLoad] = await startAll(undo, [startGenerator(), startGenerator()]);
  const [floor] = await startAll(undo, [startFloor(images.port)]);
  const running = await startGateway(undo, { images, chats });
  const headers = { authorization: `Bearer ${running.apiKey}`, 'x-no-cache': 'true' };
  const gateway = { port: Number(new URL(running.baseUrl).port), headers };
  const [edge = 0] = running.pids('edge');
  const [imageSvc = 0] = running.pids('image-svc');
  return { images, chats, imageLoad, chatLoad, floor, gateway, pids: { edge, 'image-svc': imageSvc } };
}

async function startGateway(
  undo: Undo,
  { images, chats }: { images: UpstreamProcess; chats: UpstreamProcess },
): Promise<Distributed> {
  const [bus, redis, postgres] = await startAll(undo, [startBusServer(), startRedis(), startPostgres()]);
  const at = ({ port }: UpstreamProcess) => ({ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` });
  const [running] = await startAll(undo, [
    startDistributed({
      servers: { NATS_URL: bus.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url },
      replicas: { 'console-svc': 0, 'mcp-svc': 0 },
      environment: {
        OPENAI_API_KEY: 'bench',
        SANDBOX: 'off',
        CACHE_TTL_SECONDS: '0',
        LIMIT_IMAGES_PER_MINUTE: '0',
        LIMIT_CHAT_PER_MINUTE: '0',
      },
      serviceEnvironment: { 'image-svc': at(images), 'chat-svc': at(chats) },
      sandboxUrl: `http://127.0.0.1:${images.port}`,
    }),
  ]);
  return running;
}

/** Registers every started part for clean-up, also when another one fails to start. */
async function startAll<Parts extends readonly { stop(): Promise<void> }[]>(
  undo: Undo,
  starting: { [At in keyof Parts]: Promise<Parts[At]> },
): Promise<Parts> {
  for (const one of starting) void one.then(({ stop }) => undo.add(stop)).catch(() => undefined);
  return (await Promise.all(starting)) as unknown as Parts;
}
