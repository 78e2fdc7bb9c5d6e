import { GatewayError } from '@tallyport/contracts';
import { checkSameOrigin, messagePage, publicOriginOf, readForm, sendPage, sentFormOf } from '@tallyport/pages';
import { linkOf } from '@tallyport/management-server';
import { Router } from 'express';
import type { AlertAddresses } from '../alerts/addresses/confirm-address.ts';
import { alertAddressPage } from './alert-address-page.ts';

interface AlertAddressTools {
  alertAddresses: AlertAddresses;
}

/** The page of the link with which a person agrees to get alerts. */
export function alertAddressRoutes({ alertAddresses }: AlertAddressTools): Router {
  const router = Router({ caseSensitive: true });
  router.get('/alert-addresses/:token', async (request, response) => {
    const found = await alertAddresses.find(linkOf(request));
    if (found === undefined) throw spent();
    sendPage(response, alertAddressPage({ ...found, action: request.path }));
  });
  router.post('/alert-addresses/:token', readForm(), async (request, response) => {
    checkSameOrigin(sentFormOf(request), publicOriginOf(request));
    if (!(await alertAddresses.confirm(linkOf(request)))) throw spent();
    sendPage(
      response,
      messagePage({ title: 'You get alerts', text: 'Your address is confirmed. You can close this page.' }),
    );
  });
  return router;
}

const spent = (): GatewayError =>
  new GatewayError('not_found', 'This link was used or has expired. Send a test of the alert to get another one.');
