import { defineConfig } from '@tallyport/service-kit';
import { z } from 'zod';

export const alertsConfig = defineConfig({
  SMTP_URL: {
    schema: z
      .string()
      .regex(/^smtps?:\/\/\S+$/, 'must begin with smtp:// or smtps://')
      .optional(),
    secret: true,
    example: 'smtps://user:password@mail.example.com',
    description:
      'The mail server for alerts by e-mail; without it, they are sent as webhooks only. A password needs TLS, except to this machine.',
    contradiction: ({ SMTP_URL, SMTP_FROM }) =>
      SMTP_URL !== undefined && SMTP_FROM === undefined ? 'needs SMTP_FROM, the address of the sender' : undefined,
  },
  SMTP_FROM: {
    schema: z.string().min(3).optional(),
    example: 'Tallyport <tallyport@example.com>',
    description: 'The sender of e-mail about alerts.',
  },
});
