import { type Family, imageModel, openAiRoutes, sharedModel } from '@switchyard/sandbox';
import { basePathOf } from '../bases.ts';
import { findImageFault } from './images/strictness.ts';
import { findOpenAiFault } from './strictness.ts';

/** OpenAI itself: as strict as the real one, whatever the model is called. */
export const openAiVendorRoutes: Family = (settings) =>
  openAiRoutes(
    {
      id: 'openai',
      basePath: basePathOf('openai'),
      models: [sharedModel, imageModel],
      refuseChat: (body) => findOpenAiFault(body, { refusesUnknownParameters: true }),
      refuseImages: findImageFault,
    },
    settings,
  );
