import { inProcessLink } from './in-process.ts';
import { linkSuite } from './link.suite.ts';

linkSuite('the in-process link', async () => {
  const link = inProcessLink();
  return { client: link, server: link, close: () => link.close() };
});
