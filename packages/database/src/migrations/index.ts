import type { Migration } from 'kysely/migration';
import { accountsAndKeys } from './0001-accounts-and-keys.ts';
import { catalogueOverrides } from './0002-catalogue-overrides.ts';
import { people } from './0003-people.ts';
import { providerKeys } from './0004-provider-keys.ts';
import { oauth } from './0005-oauth.ts';
import { ledger } from './0006-ledger.ts';
import { usageAside } from './0007-usage-aside.ts';
import { passwordLinks } from './0008-password-links.ts';
import { oauthLastUse } from './0009-oauth-last-use.ts';
import { keyBounds } from './0010-key-bounds.ts';
import { sharedEmails } from './0011-shared-emails.ts';
import { usageOfAudio } from './0012-usage-of-audio.ts';
import { promptCacheSavings } from './0013-prompt-cache-savings.ts';
import { requestDetails } from './0014-request-details.ts';
import { usageTallies } from './0015-usage-tallies.ts';
import { offerHours } from './0016-offer-hours.ts';
import { guardrails } from './0017-guardrails.ts';
import { guardrailFindings } from './0018-guardrail-findings.ts';
import { mcpServers } from './0019-mcp-servers.ts';
import { identityProviders } from './0020-identity-providers.ts';
import { workloadKeys } from './0021-workload-keys.ts';
import { alerts } from './0022-alerts.ts';
import { providerKeyUses } from './0023-provider-key-uses.ts';
import { projects } from './0024-projects.ts';
import { projectUsage } from './0025-project-usage.ts';
import { guardWebhooks } from './0026-guard-webhooks.ts';
import { requestContents } from './0027-request-contents.ts';
import { alertSecrets } from './0028-alert-secrets.ts';
import { usageSummaries } from './0029-usage-summaries.ts';
import { offerHoursOwn } from './0030-offer-hours-own.ts';
import { projectMembersOfProviders } from './0031-project-members-of-providers.ts';
import { providerKeyOrder } from './0032-provider-key-order.ts';
import { guardWebhookPauses } from './0033-guard-webhook-pauses.ts';
import { usageHistograms } from './0034-usage-histograms.ts';
import { sessionChecks } from './0037-session-checks.ts';
import { usageOfferDays } from './0038-usage-offer-days.ts';
import { alertAddresses } from './0039-alert-addresses.ts';
import { endUsers } from './0040-end-users.ts';
import { promptCaching } from './0041-prompt-caching.ts';
import { usageClasses } from './0042-usage-classes.ts';
import { serviceTiers } from './0043-service-tiers.ts';
import { promptCacheWrites } from './0044-prompt-cache-writes.ts';
import { priceVersions } from './0045-price-versions.ts';
import { reconciliations } from './0046-reconciliations.ts';
import { endUserTimes } from './0047-end-user-times.ts';
import { projectTiers } from './0048-project-tiers.ts';
import { indexesOfOutcomes } from './0049-request-outcomes.ts';
import { alertWebhookFormats } from './0050-alert-webhook-formats.ts';
import { auditByTime } from './0051-audit-by-time.ts';
import { routes } from './0052-routes.ts';
import { requestsOfRoutes } from './0053-requests-of-routes.ts';
import { endUserOutcomes } from './0054-end-user-outcomes.ts';
import { usageTimes } from './0055-usage-times.ts';
import { accountTags } from './0056-account-tags.ts';
import { scoreWeights } from './0057-score-weights.ts';
import { sharesOfRoutes } from './0058-shares-of-routes.ts';
import { cachedMedia } from './0059-cached-media.ts';
import { files } from './0060-files.ts';
import { searchUnits } from './0061-search-units.ts';
import { batches } from './0062-batches.ts';
import { vendorBatches } from './0063-vendor-batches.ts';
import { batchBudgets } from './0064-batch-budgets.ts';
import { answeredVendorBatches } from './0065-answered-vendor-batches.ts';
import { reopenedVendorBatches } from './0066-reopened-vendor-batches.ts';
import { answersOfBatches } from './0067-answers-of-batches.ts';

/**
 * All migrations, in alphabetical order. New ones are appended, and existing names never change. A migration only adds,
 * so that the previous release keeps working beside it; the name of any other ends in `-breaking`, and older releases
 * refuse to start.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts-and-keys': accountsAndKeys,
  '0002-catalogue-overrides': catalogueOverrides,
  '0003-people': people,
  '0004-provider-keys': providerKeys,
  '0005-oauth': oauth,
  '0006-ledger': ledger,
  '0007-usage-aside': usageAside,
  '0008-password-links': passwordLinks,
  '0009-oauth-last-use': oauthLastUse,
  '0010-key-bounds': keyBounds,
  '0011-shared-emails': sharedEmails,
  '0012-usage-of-audio': usageOfAudio,
  '0013-prompt-cache-savings': promptCacheSavings,
  '0014-request-details': requestDetails,
  '0015-usage-tallies': usageTallies,
  '0016-offer-hours': offerHours,
  '0017-guardrails': guardrails,
  '0018-guardrail-findings': guardrailFindings,
  '0019-mcp-servers': mcpServers,
  '0020-identity-providers': identityProviders,
  '0021-workload-keys': workloadKeys,
  '0022-alerts': alerts,
  '0023-provider-key-uses': providerKeyUses,
  '0024-projects': projects,
  '0025-project-usage': projectUsage,
  '0026-guard-webhooks': guardWebhooks,
  '0027-request-contents': requestContents,
  '0028-alert-secrets': alertSecrets,
  '0029-usage-summaries': usageSummaries,
  '0030-offer-hours-own': offerHoursOwn,
  '0031-project-members-of-providers': projectMembersOfProviders,
  '0032-provider-key-order': providerKeyOrder,
  '0033-guard-webhook-pauses': guardWebhookPauses,
  '0034-usage-histograms': usageHistograms,
  '0037-session-checks': sessionChecks,
  '0038-usage-offer-days': usageOfferDays,
  '0039-alert-addresses': alertAddresses,
  '0040-end-users': endUsers,
  '0041-prompt-caching': promptCaching,
  '0042-usage-classes': usageClasses,
  '0043-service-tiers': serviceTiers,
  '0044-prompt-cache-writes': promptCacheWrites,
  '0045-price-versions': priceVersions,
  '0046-reconciliations': reconciliations,
  '0047-end-user-times': endUserTimes,
  '0048-project-tiers': projectTiers,
  '0049-request-outcomes': indexesOfOutcomes,
  '0050-alert-webhook-formats': alertWebhookFormats,
  '0051-audit-by-time': auditByTime,
  '0052-routes': routes,
  '0053-requests-of-routes': requestsOfRoutes,
  '0054-end-user-outcomes': endUserOutcomes,
  '0055-usage-times': usageTimes,
  '0056-account-tags': accountTags,
  '0057-score-weights': scoreWeights,
  '0058-shares-of-routes': sharesOfRoutes,
  '0059-cached-media': cachedMedia,
  '0060-files': files,
  '0061-search-units': searchUnits,
  '0062-batches': batches,
  '0063-vendor-batches': vendorBatches,
  '0064-batch-budgets': batchBudgets,
  '0065-answered-vendor-batches': answeredVendorBatches,
  '0066-reopened-vendor-batches': reopenedVendorBatches,
  '0067-answers-of-batches': answersOfBatches,
};
