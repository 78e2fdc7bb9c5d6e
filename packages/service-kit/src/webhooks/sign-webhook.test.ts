import { expect, test } from 'vitest';
import { signWebhook } from './sign-webhook.ts';

const webhook = { id: 'msg_1', body: '{"a":1}', now: new Date(1_767_225_600_999) };

// echo -n 'msg_1.1767225600.{"a":1}' | openssl dgst -sha256 -hmac 0123456789abcdef -binary | base64
test.each(['MDEyMzQ1Njc4OWFiY2RlZg==', 'whsec_MDEyMzQ1Njc4OWFiY2RlZg=='])(
  'the signature with %s is the one that openssl computes',
  (secret) => {
    expect(signWebhook({ ...webhook, secret })).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Tallyport',
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1767225600',
      'webhook-signature': 'v1,s2LEUN43eYTLi7eji1wSGpnHMtV91KSDh1n9ZoCRn4c=',
    });
  },
);
