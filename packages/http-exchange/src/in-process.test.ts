import { inProcessLink } from '@tallyport/bus';
import { appHandlerSuite } from './app-handler.suite.ts';

appHandlerSuite('an app behind the in-process link', async () => {
  const link = inProcessLink();
  return { client: link, server: link, close: () => link.close() };
});
