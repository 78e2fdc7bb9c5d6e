import type { DetectorName } from '@tallyport/contracts';
import type { FindSpans } from '../span.ts';
import { findApiKeys } from './api-key.ts';
import { findCards } from './card.ts';
import { findEmails } from './email.ts';
import { findIbans } from './iban.ts';
import { findIpAddresses } from './ip-address.ts';
import { findJwts } from './jwt.ts';
import { findPhones } from './phone.ts';
import { findPrivateKeys } from './private-key.ts';

export const detectors: Readonly<Record<DetectorName, FindSpans>> = {
  api_key: findApiKeys,
  card: findCards,
  email: findEmails,
  iban: findIbans,
  ip_address: findIpAddresses,
  jwt: findJwts,
  phone: findPhones,
  private_key: findPrivateKeys,
};
