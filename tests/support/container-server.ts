import { freePort, waitUntil } from './probe.ts';
import type { Recipe, StartOptions, TestServer } from './server.ts';

const startMs = 60_000;

/** Runs the server in a container whose port on this machine stays the same over restarts. */
export async function startContainerServer(recipe: Recipe, options: StartOptions = {}): Promise<TestServer> {
  // Loaded only if Docker is used: it is large, and most runs use installed servers.
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  const { image, port: inside, command, environment } = recipe.container;
  const port = options.port ?? (await freePort());
  const started = await new GenericContainer(image)
    .withCommand([...command])
    .withEnvironment(environment)
    .withExposedPorts({ container: inside, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(startMs)
    .start();
  const host = started.getHost();
  const client = await getContainerRuntimeClient();
  const container = client.container.getById(started.getId());
  const answers = () =>
    waitUntil(`${recipe.name} to answer on port ${port}`, () => recipe.answers(host, port), { deadlineMs: startMs });
  await answers();
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    const { State: state } = await container.inspect();
    if (!state.Running) return;
    await container.kill({ signal });
    await container.wait();
  };
  return {
    url: recipe.url(host, port),
    pid: undefined,
    kill,
    restart: async () => {
      await kill('SIGTERM');
      await container.start();
      await answers();
    },
    stop: async () => {
      await started.stop({ timeout: 0, remove: true, removeVolumes: true });
    },
  };
}
