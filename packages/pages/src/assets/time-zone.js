// Offers the time zone of this browser as the first choice.
const select = document.querySelector('select[name="timeZone"]');
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

select?.prepend(new Option(`This browser’s: ${timeZone.replaceAll('_', ' ')}`, timeZone));
