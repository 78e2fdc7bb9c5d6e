import { type Html, html as xml, lasted, percent } from '@tallyport/pages';
import type { PublicStatus, StatusIncident } from './status.ts';

/** The incidents as an Atom feed (RFC 4287). Its addresses are relative, because it is the same for every host. */
export const statusFeed = ({ at, incidents }: PublicStatus): Html => xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:tallyport:status</id>
  <title>Incidents of providers</title>
  <updated>${incidents.map(updatedAt).toSorted().at(-1) ?? at}</updated>
  <author><name>Tallyport</name></author>
  <link rel="self" href="/status.atom" />
  <link rel="alternate" type="text/html" href="/status" />
  ${incidents.map(entry)}
</feed>
`;

const entry = (incident: StatusIncident): Html => xml`<entry>
    <id>urn:tallyport:incident:${encodeURIComponent(incident.provider)}:${incident.from}</id>
    <title>${incident.provider}: ${incident.to === undefined ? 'ongoing' : 'resolved'}</title>
    <updated>${updatedAt(incident)}</updated>
    <link rel="alternate" type="text/html" href="/status" />
    <summary>${summaryOf(incident)}</summary>
  </entry>
`;

const updatedAt = ({ from, to }: StatusIncident): string => to ?? from;

const summaryOf = ({ provider, from, to, uptime }: StatusIncident): string =>
  `Since ${from}, ${provider} answered ${percent(uptime)} of its calls. ${
    to === undefined ? 'The incident is ongoing.' : `It ended at ${to}, after ${lasted(from, to)}.`
  }`;
