import type { CustomProvider } from '@tallyport/contracts';
import { type LiveTargets, readTargets, withCustomProviders } from '@tallyport/dispatch';
import {
  type ChatProvider,
  chatProviders,
  customImageProvider,
  customProvider,
  type ImageProvider,
  imageProviders,
} from '@tallyport/providers';
import { vendorAccessFromEnvironment, vendorAccess } from '@tallyport/service-kit';

/** The targets of every provider for this process, for chats and for images. */
export interface ProviderTargets {
  readonly chats: LiveTargets<ChatProvider>;
  readonly images: LiveTargets<ImageProvider>;
  /** Sets the custom providers of the catalogue. */
  setCustom(providers: readonly CustomProvider[]): void;
}

/** Reads keys and addresses from the settings that `vendorConfig` declares. */
export function openProviderTargets(config: object): ProviderTargets {
  const access = (stem: string) => vendorAccess(config, stem);
  const chats = withCustomProviders(readTargets(chatProviders, access), customProvider, vendorAccessFromEnvironment);
  const images = withCustomProviders(
    readTargets(imageProviders, access),
    customImageProvider,
    vendorAccessFromEnvironment,
  );
  return {
    chats,
    images,
    setCustom(providers) {
      chats.setCustom(providers);
      images.setCustom(providers);
    },
  };
}
