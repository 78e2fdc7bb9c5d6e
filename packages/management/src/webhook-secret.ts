import { z } from 'zod';

export const webhookSecretPrefix = 'whsec_';

/** Signs the webhooks of alerts and of guardrails, as Standard Webhooks says. */
export const webhookSecretSchema = z
  .string('must be a string')
  .regex(
    /^(?:whsec_)?[A-Za-z0-9+/]{32,256}={0,2}$/,
    'must be 32 to 256 characters of base64, with or without "whsec_" before them: openssl rand -base64 32',
  );
